% No rule at all covers nothing.
