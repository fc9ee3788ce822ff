:- initialization(main).
