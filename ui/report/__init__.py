"""Reports as one HTML file: it opens from a disk, without a server and without a network."""
