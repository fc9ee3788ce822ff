:- open('/etc/passwd', read, _).
