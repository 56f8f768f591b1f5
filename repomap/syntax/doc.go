// Package syntax reads source files: their definitions and references, their syntax errors, and
// what encloses a line.
//
// It is the only place that knows grammars and lexers. It opens no files and keeps no trees: every
// parse has a parser of its own and is closed before the call returns. Package agent/index calls
// Tags for the repository map, agent/verify calls Errors. The main type is Language.
package syntax
