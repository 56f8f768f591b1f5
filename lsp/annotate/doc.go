// Package annotate is what we say of lines of the user's files, beside what other servers say: what a review found, where
// hunks were refused, and which hunks were applied and are under review.
//
// A folder has its Marks. They follow the text while the user types, and end with the folder. A client is told all of a file
// at once. It starts no turn, asks nobody, and knows
// neither the server nor sessions. Package lsp makes the Marks of a folder when it opens it. Start at Marks.
package annotate
