"""Methods and files of Sun (1996): the mixed iteration, unilateral links, input of the pipe program."""
