package verify

// mostSpoken is how many linters, and how many commands that test, are told at most.
const mostSpoken = 4

// Habits are the commands with which a project is linted and tested, in quotation marks. Alone are those of both that run on
// each change by themselves at a level, where commands can be run at all.
func Habits(tools []Tool, level Level, run bool) (lint, tests, alone []string) {
	for _, t := range tools {
		name := t.Spoken()
		list, runs := &lint, level == Lint || level == Full
		if t.Tests {
			list, runs = &tests, level == Full
		}
		if name == "" || t.Formats || len(*list) == mostSpoken {
			continue
		}
		name = "`" + name + "`"
		*list = append(*list, name)
		if runs && run {
			alone = append(alone, name)
		}
	}
	return lint, tests, alone
}
