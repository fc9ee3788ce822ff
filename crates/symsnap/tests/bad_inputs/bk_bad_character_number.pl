p('\xzz\').
