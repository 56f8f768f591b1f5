// Package repomap chooses what a model should see of a repository: files become tags, tags a
// graph, the graph ranks, and the ranks a text within a token budget.
//
// It is pure: it neither opens files nor runs programs, and knows neither editors nor models.
// Everything it reads comes through the small interfaces in ports.go, which package agent/index
// implements. A map is a function of (index generation, request): the same inputs give the same
// bytes. Start at Index.
//
// Its parts lie below it, and import one way alone: vocab numbers words; record makes of one file, by vocab, imports and syntax/tag,
// what is known of it; draw chooses and writes the lines of a map; store is raw memory. None of them knows this package, which lists
// and keeps records, links them, and scores them for a request.
package repomap
