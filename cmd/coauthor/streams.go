package main

import "io"

// Streams is what a sub-command may touch of its process.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	Env      func(string) string
	// Terminal opens the terminal that the process belongs to, for a question while standard input is
	// taken; nil for none.
	Terminal func() (io.ReadCloser, error)
}
