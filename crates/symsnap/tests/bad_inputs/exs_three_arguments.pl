pos(f(a),1,2).
