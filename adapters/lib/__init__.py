"""What the adapters share.

`task` reads a task folder with `bias` and `text`; `child` finds a system, runs it and ends it, and `swipl` those that are
Prolog programs; `modes`, `facts` and `graph` say what several systems want in the same form.
"""
