// Package hunks is what is under review in a folder: the hunks that were applied at once and wait for the user to keep or
// undo them. It has the client show them, finds those that a command means, and goes from one to the next.
//
// A folder has its Hunks; what the client of the connection was told once for all folders are Views. Package proposal knows
// what is under review, and package annotate where that stands and how it is marked. It changes no file: to undo hunks is
// for package lsp, which is given their names here. It knows neither the server nor sessions. Start at Hunks.
package hunks
