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

// colour says whether what is written to out, one of the two outputs, may have colours.
func (s Streams) colour(out io.Writer) bool { return isTerminal(out) && s.Env("NO_COLOR") == "" }
