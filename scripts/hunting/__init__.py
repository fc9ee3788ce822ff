"""The hunt: random tasks for symsnap, checked against a slow brute force that asks SWI-Prolog what rules cover.

docs/HUNT.md says what is generated and checked. Modules in the order in which data flows:

    task          a task as data that can be written, transformed and shrunk
    constraints   statements of the bias about rules, each as text and as a Python function
    background    predicates for the background: facts, and predicates that are called
    kinds         the kinds of random tasks
    space         every rule and program that a bias allows, naively
    oracle        SWI-Prolog: what rules and programs cover
    optimum       the least cost over sets of rules
    runner        symsnap as a process
    truth         brute force: what symsnap may say of a task
    checks        what symsnap says, held against the truth
    pairs         two tasks that must have the same optimum
    shrink        a smaller task that fails in the same way
    command       options, workers, summary
"""
