// Package record makes of one file's path, text and tags what a map needs to know of it: its class, its words, and its definitions
// with their signatures and the words of their texts. It knows no other file, and nothing of requests, snapshots and ranks. Start at
// NewDraft, which reads, and Record, which stays.
package record
