pos(f(a),0).
