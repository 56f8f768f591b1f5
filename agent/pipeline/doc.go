// Package pipeline makes whole projects: it generates them from a prompt, asks what is unclear first, writes the script
// that starts them, improves existing files, and runs and repairs programs.
//
// A pipeline is a turn that a function leads (agent.Job): its steps ask the model through agent, so that progress, tokens,
// questions, cancelling and the one proposal at the end are those of any turn. Which steps a command has, with which
// flags, stands in one table (modes.go). The package may not write a file of the user: it proposes. What it runs, it runs
// in a folder of its own outside of the project, and only after the user has seen the whole script. Texts for the model
// are in preprompts, which the user may replace. A Go program may put functions of its own in the place of steps (Steps),
// and a Memory in the place of the folder (Program). Start at Actions and New.
package pipeline
