"""Models: text to vectors and passages to prose, in this process or over HTTP."""
