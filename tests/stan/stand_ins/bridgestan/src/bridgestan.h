// Only there to be found.
