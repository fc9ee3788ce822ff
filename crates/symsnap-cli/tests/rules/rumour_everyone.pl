heard(_).
