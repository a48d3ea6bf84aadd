"""Make the film that opens the README: python docs/draw_film.py"""

from __future__ import annotations

from pathlib import Path

import granum as gr
from granum.view.films import film

if __name__ == "__main__":
    run = gr.simulate(gr.example("pipe-jam"))
    file = Path(__file__).parent / "pictures" / "film-pipe-jam.gif"
    film(run, file, forces=True, seconds=6, rate=11, size=(640, 288))
