"""A concrete configuration: who may dispatch whom, what each chain may do, and what to tell of it.

Plain data for the reports is in `records.py`; `callgraph.py` is the only home of networkx.

>>> from downset.config.project import resolve
>>> from downset.config.releases import release
>>> from downset.graph.sessions import World
>>> world = World(resolve({}, release("1.18.2")))
>>> [state.agent for state in world.roots()]
['build', 'plan']
"""
