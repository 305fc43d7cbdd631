"""From a file's text to the blocks that are not cut: one module a format, `registry` picks one."""
