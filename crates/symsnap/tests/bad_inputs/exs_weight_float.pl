pos(f(a),0.5).
