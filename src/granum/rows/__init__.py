"""Joints and constraints: one file per kind; each is made of elementary rows with a kernel and an expression."""
