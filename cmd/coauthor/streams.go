package main

import "io"

// Streams is what a sub-command may touch of its process.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	Env      func(string) string
}
