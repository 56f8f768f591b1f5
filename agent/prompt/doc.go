// Package prompt puts together what a model is sent.
//
// Eight chunks in a fixed order: system, examples, read-only files, repository map, finished
// exchanges, chat files, the current exchange, reminder. The order goes from what never changes to
// what always does, so that providers can cache the front. It also words what the model is told
// about refused edits. It opens no files and talks to no model: package agent hands in texts and
// takes messages. Start at Build, which makes Chunks.
package prompt
