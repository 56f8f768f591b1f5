// Package tool has the read-only tools with which a model looks around while it works.
//
// A model's calls are read (Read for calls of the interface, InText for calls written as text), repaired where
// it is clear what was meant, and run on one snapshot (Box). Nothing here writes or runs anything of the
// workspace, and each file passes the door of package workspace; the checks are run by who made the Box, by
// the rules of checks. The package knows neither turns nor prompts: package agent offers the tools, runs the
// calls and sends the results. One more tool looks at nothing: by Finisher a model says how far its task is,
// which ReadVerdict reads. Start at All and Box.
package tool
