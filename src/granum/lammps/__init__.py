"""LAMMPS: scenes of spheres or disks on springs and dashpots, on one process or on many.

    expressible   what LAMMPS can honour; everything else is refused by name
    laws          contact laws as coefficients of `pair_style granular`
    walls         boundaries as regions of `fix wall/gran/region`
    script        the input script, and with `data` the files it reads
    installation  where the programs are, and what to install if they are not
    process       LAMMPS as a running process that takes commands and reports steps
    dumps         the files that LAMMPS writes
    subject       frames of a run from these files
    running       the way from a scene, or from dumps of a cluster, to a run
"""
