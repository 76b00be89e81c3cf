"""The paper's treatments over several seeds: plans, runs, resumes and reports them."""
