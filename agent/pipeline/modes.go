package pipeline

import (
	"fmt"
	"slices"
	"strings"

	"coauthor/agent/command"
)

// StepName names a step of a pipeline.
type StepName string

// The steps.
const (
	StepClarify    StepName = "clarify"    // the model's questions, one at a time
	StepGenerate   StepName = "generate"   // a prompt becomes files
	StepLite       StepName = "lite"       // the same with the shortest prompt
	StepEntrypoint StepName = "entrypoint" // the files get a script that starts them
	StepRun        StepName = "run"        // when the proposal was applied: the script is run, if the user wants that
	StepImprove    StepName = "improve"    // files that are there are changed
	StepHeal       StepName = "heal"       // the program is run, and repaired until it works
	StepSelect     StepName = "select"     // the files for improve are written down
)

// StepDocs returns them with what they do, for users.
func StepDocs() []command.Meaning {
	return []command.Meaning{
		{Name: string(StepClarify), Doc: "the model asks about anything unclear."},
		{Name: string(StepGenerate), Doc: "the model writes the files."},
		{Name: string(StepLite), Doc: "like `generate`, but with shorter instructions."},
		{Name: string(StepEntrypoint), Doc: "the model writes `" + ScriptFile + "`."},
		{Name: string(StepImprove), Doc: "the model changes existing files."},
		{Name: string(StepHeal), Doc: "Coauthor runs the program, and the model fixes it until it works."},
		{Name: string(StepSelect), Doc: "Coauthor writes the list of files for `improve`."},
		{Name: string(StepRun), Doc: "after you apply the change, you see the script and can run it in a copy of the folder."},
	}
}

// Flag is a switch of a command that changes its steps. Its name is that of the argument of the editor's command; on the
// command line it is written with dashes.
type Flag string

// The flags.
const (
	FlagClarify  Flag = "clarify"
	FlagLite     Flag = "lite"
	FlagSelfHeal Flag = "selfHeal"
)

// Doc is what a flag does, for users.
func (f Flag) Doc() string { return args(string(f))[0].Doc }

// Dashed is a flag as the command line has it, without the dashes before it: selfHeal is self-heal.
func Dashed(f Flag) string {
	var b strings.Builder
	for _, r := range string(f) {
		if r >= 'A' && r <= 'Z' {
			b.WriteByte('-')
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}

// Mode is one row of THE table of pipelines: a command with some of its flags, and the steps that follow from them.
type Mode struct {
	Command string
	Flags   []Flag // in the order of the constants
	Steps   []StepName
	Refused string // why there is no such mode; "" where there is
}

// Modes returns the table. The commands of editors and of the command line take the flags that stand in it, and the
// documentation is made of it.
func Modes() []Mode {
	return []Mode{
		{Command: "generate", Steps: []StepName{StepGenerate, StepEntrypoint, StepRun}},
		{Command: "generate", Flags: []Flag{FlagClarify}, Steps: []StepName{StepClarify, StepGenerate, StepEntrypoint, StepRun}},
		{Command: "generate", Flags: []Flag{FlagLite}, Steps: []StepName{StepLite, StepEntrypoint, StepRun}},
		{Command: "generate", Flags: []Flag{FlagClarify, FlagLite}, Refused: "clarify needs the instructions that lite omits; choose one"},
		{Command: "generate", Flags: []Flag{FlagSelfHeal}, Steps: []StepName{StepGenerate, StepEntrypoint, StepHeal}},
		{Command: "generate", Flags: []Flag{FlagClarify, FlagSelfHeal}, Steps: []StepName{StepClarify, StepGenerate, StepEntrypoint, StepHeal}},
		{Command: "generate", Flags: []Flag{FlagLite, FlagSelfHeal}, Steps: []StepName{StepLite, StepEntrypoint, StepHeal}},
		{Command: "generate", Flags: []Flag{FlagClarify, FlagLite, FlagSelfHeal}, Refused: "clarify needs the instructions that lite omits; choose one"},
		{Command: "improve", Steps: []StepName{StepImprove}},
		{Command: "improve", Flags: []Flag{FlagSelfHeal}, Steps: []StepName{StepImprove, StepHeal}},
		{Command: "improve", Flags: []Flag{FlagClarify}, Refused: "improve asks no questions; use ask first"},
		{Command: "improve", Flags: []Flag{FlagLite}, Refused: "a diff needs the full instructions"},
		{Command: "selfHeal", Steps: []StepName{StepHeal}},
		{Command: "selectFiles", Steps: []StepName{StepSelect}},
		{Command: "clarify", Steps: []StepName{StepClarify, StepGenerate, StepEntrypoint, StepRun}},
		{Command: "entrypoint", Steps: []StepName{StepEntrypoint, StepRun}},
		{Command: commandRun, Steps: []StepName{StepRun}},
	}
}

// prompted says whether the mode begins with a prompt of the user's.
func (m Mode) prompted() bool {
	return slices.Contains(m.Steps, StepGenerate) || slices.Contains(m.Steps, StepLite)
}

// diffs says whether the mode changes files that are there, by diffs.
func (m Mode) diffs() bool {
	return slices.Contains(m.Steps, StepImprove) || slices.Contains(m.Steps, StepHeal)
}

// Makes says whether a command makes a project of a prompt.
func Makes(command string) bool {
	return slices.ContainsFunc(Modes(), func(m Mode) bool { return m.Command == command && m.prompted() })
}

// FlagsOf returns the flags that a command takes, in the order of the table.
func FlagsOf(command string) []Flag {
	var list []Flag
	for _, m := range Modes() {
		for _, f := range m.Flags {
			if m.Command == command && !slices.Contains(list, f) {
				list = append(list, f)
			}
		}
	}
	return list
}

// find returns the row of a command with flags, in any order. The error says why there is none.
func find(command string, flags []Flag) (Mode, error) {
	var words []string
	for _, f := range flags {
		words = append(words, string(f))
	}
	with := command
	if len(words) > 0 {
		with += " with " + strings.Join(words, " and ")
	}
	for _, m := range Modes() {
		same := len(m.Flags) == len(flags) && !slices.ContainsFunc(m.Flags, func(f Flag) bool { return !slices.Contains(flags, f) })
		switch {
		case m.Command != command || !same:
		case m.Refused != "":
			return Mode{}, fmt.Errorf("there is no %s: %s", with, m.Refused)
		default:
			return m, nil
		}
	}
	return Mode{}, fmt.Errorf("there is no %s", with)
}
