"""Studies: many runs of one scene over parameters, on one machine or on many, and their table.

`definition` says what a study is, `points` which runs it has, `measures` what is asked of each, `runner` does one run,
`executor` hands runs to processes, `table` keeps what they answered, `result` reads it, `study` is the loop.
"""
