p('C:\qux').
