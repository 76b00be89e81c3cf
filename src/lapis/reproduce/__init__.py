"""The paper's treatments over several seeds: planned, run side by side, resumed, reported."""
