package store

import "errors"

// ErrNotMapped says that a file is read instead: this system maps none, or not this one.
var ErrNotMapped = errors.New("not a file to map")
