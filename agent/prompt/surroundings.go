package prompt

import (
	"path"
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"coauthor/agent/model"
)

// Surroundings are what a prompt may say of the user and of the machine. Empty fields are not spoken of.
type Surroundings struct {
	Platform  string    // "Linux (x86-64)"
	Shell     string    // "bash"
	Language  string    // that the user wants to be answered in, as LanguageName gives it
	Usual     string    // language of the user's machine, the same
	Today     time.Time // where the user is
	Commands  bool      // the model may suggest commands for the shell
	Git       bool      // the project is in a git repository
	Lint      string    // with which commands the user lints, as words of a sentence: "`ruff check` and `mypy`"
	Tests     string    // with which the user tests, the same
	Languages string    // that most files of the project are in, as words of a sentence
	Alone     string    // those of them that run on every change by themselves
}

// SurroundingsOf are those of a machine. language is what its system says of itself, as a tag, for one that has no variables
// for that.
func SurroundingsOf(env func(string) string, system, machine, language string) Surroundings {
	shell := env("SHELL")
	if shell == "" && system == "windows" {
		shell = env("COMSPEC")
	}
	return Surroundings{Platform: platform(system, machine), Shell: shellName(shell), Usual: usualLanguage(env, language)}
}

// platform is a system with its machine as people call them.
func platform(system, machine string) string {
	called := map[string]string{"linux": "Linux", "darwin": "macOS", "windows": "Windows", "freebsd": "FreeBSD", "amd64": "x86-64"}
	for _, name := range []*string{&system, &machine} {
		if known, ok := called[*name]; ok {
			*name = known
		}
	}
	return system + " (" + machine + ")"
}

// shellNames are what a shell may be called in a prompt.
var shellNames = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$`)

// shellName is the name of a shell without its folder; "" for what looks like none.
func shellName(file string) string {
	name := path.Base(strings.ReplaceAll(file, `\`, "/"))
	if len(name) > 4 && strings.EqualFold(name[len(name)-4:], ".exe") {
		name = name[:len(name)-4]
	}
	if !shellNames.MatchString(name) {
		return ""
	}
	return name
}

// Facts are the surroundings that hardly ever change, a line each; "" for none.
func (s Surroundings) Facts() (string, error) { return render("facts", s) }

// Now are those that change by themselves, a line each; "" for none. They stand behind all that a provider keeps in its cache.
func (s Surroundings) Now() (string, error) { return render("now", s) }

// Date is the day, as 2026-02-03; "" for none.
func (s Surroundings) Date() string {
	if s.Today.IsZero() {
		return ""
	}
	return s.Today.Format(time.DateOnly)
}

// theirs is what stands for a language that nobody has chosen.
const theirs = "the language of the request"

// language is in what the user is answered, as words of a sentence.
func (s Surroundings) language() string {
	switch {
	case s.Language != "":
		return s.Language
	case s.Usual != "" && s.Usual != "English": // which is what a model falls back on by itself
		return theirs + ", or in " + s.Usual + " where that does not tell"
	}
	return theirs
}

// terse says that a model is told nothing but its task and the facts. For whom whole files are best is weak, and a weak
// model takes every further sentence for a part of the request.
func terse(p model.Profile) bool { return p.Short || p.EditFormat == "whole" }

// longestLanguage is the longest name of a language that a prompt takes, in bytes.
const longestLanguage = 40

// LanguageName returns the English name of a language: of a locale ("de_AT.UTF-8"), of a tag ("pt-BR"), or a
// name as it is ("German"). It is "" for a locale that stands for no language, and for what is no name: a
// setting of a repository goes into the prompt by it.
func LanguageName(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), ".")
	s, _, _ = strings.Cut(s, "@")
	if s == "" || s == "C" || s == "POSIX" {
		return ""
	}
	if first, _ := utf8.DecodeRuneInString(s); utf8.RuneCountInString(s) > 3 && unicode.IsUpper(first) {
		odd := func(r rune) bool { return !unicode.IsLetter(r) && r != ' ' && r != '-' }
		if len(s) > longestLanguage || strings.ContainsFunc(s, odd) || len(strings.Fields(s)) > 3 {
			return ""
		}
		return s
	}
	tag, err := language.Parse(strings.ReplaceAll(s, "_", "-"))
	if err != nil || tag == language.Und {
		return ""
	}
	base, _ := tag.Base()
	if base.String() == "zh" { // which is read in two ways
		if script, _ := tag.Script(); script.String() == "Hant" {
			return "Traditional Chinese"
		}
		return "Simplified Chinese"
	}
	return display.English.Languages().Name(base)
}

// usualLanguage is the language of the machine by the variables of its locale, in the order in which programs
// look at them. The first that is set counts, also when it stands for no language. LANGUAGE is a list, and
// counts only where the locale stands for one. Where none is set it is what the system says of itself, as a tag.
func usualLanguage(env func(string) string, system string) string {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		value := env(name)
		if value == "" {
			continue
		}
		usual := LanguageName(value)
		if first, _, _ := strings.Cut(env("LANGUAGE"), ":"); usual != "" && LanguageName(first) != "" {
			return LanguageName(first)
		}
		return usual
	}
	return LanguageName(system)
}

// ShownIn are the surroundings of a user whose editor shows itself in a language, given as a tag. It stands above that of the
// machine. English is what most editors are never taken out of, so it says nothing.
func (s Surroundings) ShownIn(locale string) Surroundings {
	if name := LanguageName(locale); name != "" && name != "English" {
		s.Usual = name
	}
	return s
}
