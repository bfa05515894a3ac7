"""The page Paper: the paper's tables and figures beside ours, and what stands behind each number."""
