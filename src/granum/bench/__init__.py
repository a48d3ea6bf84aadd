"""Speed, as ratios against the peers that are installed, at equal accuracy and in the same run."""
