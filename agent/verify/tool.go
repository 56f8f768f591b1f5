package verify

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// Tool is a command with which the user has changes checked, or formatted.
type Tool struct {
	Argv    Command
	Files   []string // globs of the files that it is about; none is every file
	Tests   bool     // it runs tests: a level of its own, with more time
	Formats bool     // it complains of nothing and rewrites files: see Format
	// Dir is the folder in which it runs, relative to the root with slashes, and of whose files it is; "" is the root.
	// Except are folders in it that are not its own.
	Dir    string
	Except []string
}

// about says whether a file is one of those that the tool is about.
func (t Tool) about(path string) bool {
	if t.Dir != "" && !strings.HasPrefix(path, t.Dir+"/") {
		return false
	}
	if slices.ContainsFunc(t.Except, func(dir string) bool { return strings.HasPrefix(path, dir+"/") }) {
		return false
	}
	return len(t.Files) == 0 || matches(t.Files, path)
}

// longestSpoken is the longest command that a model is told of, in bytes.
const longestSpoken = 100

// Spoken is the tool's command as one speaks of it, with its folder and without the words that stand for files; "" for
// one that is too long to speak of, or holds what would end a quotation.
func (t Tool) Spoken() string {
	text := slices.DeleteFunc(slices.Clone(t.Argv), func(word string) bool {
		return strings.Contains(word, wordFiles) || strings.Contains(word, wordDirs) || strings.Contains(word, wordReport)
	}).String()
	if t.Dir != "" {
		text = "cd " + Command{t.Dir}.String() + " && " + text
	}
	if len(text) > longestSpoken || strings.Contains(text, "`") {
		return ""
	}
	return text
}

// within are files as they are called in the folder of the tool.
func (t Tool) within(files []string) []string {
	if t.Dir == "" {
		return files
	}
	list := make([]string, len(files))
	for i, f := range files {
		list[i] = strings.TrimPrefix(f, t.Dir+"/")
	}
	return list
}

// The words of a command that stand for the changed files, and for the folders that they lie in. wordReport is another one.
const (
	wordFiles = "{files}"
	wordDirs  = "{dirs}"
)

// form is how a known tool is asked for findings, how they are read, and what its exit status means.
type form struct {
	words    []string // of the command, after what only starts it
	add      []string // arguments behind those words that have it speak as read expects
	chosen   []string // beginnings of arguments with which the user chose how it speaks; then lines are read
	quiet    []string // arguments that are added too, where none of the user's begins with one of loud
	loud     []string
	findings []int // exit statuses that tell of findings; none is all but 0
	read     func(*reading)
	// otherwise reads what it says where the user chose another form; nil is line by line.
	otherwise func(*reading)
}

// forms returns the tools that are known. What is not among them is read line by line.
func forms() []form {
	return []form{
		{words: []string{"go", "vet"}, chosen: []string{"-json"}},
		{words: []string{"go", "test"}, add: []string{"-json"}, read: readGoTest},
		{words: []string{"go", "build"}},
		{words: []string{"staticcheck"}, add: []string{"-f", "json"}, chosen: []string{"-f"}, findings: []int{1}, read: readStaticcheck},
		{words: []string{"golangci-lint", "run"}, add: []string{"--output.json.path", "stdout"}, chosen: []string{"--out"}, findings: []int{1}, read: readGolangciLint},
		{words: []string{"ruff", "check"}, add: []string{"--output-format", "json"}, chosen: []string{"--output-format"}, findings: []int{1}, read: readRuff},
		{words: []string{"mypy"}, findings: []int{1}},
		{words: []string{"pyright"}, add: []string{"--outputjson"}, findings: []int{1}, read: readPyright},
		{words: []string{"pytest"}, add: []string{"--junitxml=" + wordReport}, chosen: []string{"--junit"}, quiet: []string{"-q"}, loud: []string{"-q", "-v", "--verbose", "--quiet"},
			findings: []int{1}, read: readPytest, otherwise: readPytest},
		{words: []string{"eslint"}, add: []string{"-f", "json"}, chosen: []string{"-f", "--format"}, findings: []int{1}, read: readESLint},
		{words: []string{"tsc"}, add: []string{"--pretty", "false"}, chosen: []string{"--pretty"}},
		{words: []string{"vitest", "run"}, add: []string{"--reporter=json"}, chosen: []string{"--reporter"}, findings: []int{1}, read: readJest},
		{words: []string{"jest"}, add: []string{"--json"}, findings: []int{1}, read: readJest},
		{words: []string{"mocha"}, add: []string{"--reporter", "json"}, chosen: []string{"--reporter", "-R"}, read: readMocha},
		{words: []string{"rspec"}, add: []string{"--format", "json"}, chosen: []string{"--format", "-f"}, findings: []int{1}, read: readRSpec},
		{words: []string{"phpunit"}, add: []string{"--log-junit", wordReport}, chosen: []string{"--log-junit"}, findings: []int{1, 2}, read: readJUnit},
		{words: []string{"ctest"}, add: []string{"--output-on-failure"}},
		{words: []string{"node", "--test"}, add: []string{"--test-reporter=tap"}, chosen: []string{"--test-reporter"}, findings: []int{1}, read: readTAP},
		{words: []string{"cargo", "check"}, add: []string{"--message-format=json"}, chosen: []string{"--message-format"}, findings: []int{101}, read: readCargo},
		{words: []string{"cargo", "clippy"}, add: []string{"--message-format=json"}, chosen: []string{"--message-format"}, findings: []int{101}, read: readCargo},
		{words: []string{"cargo", "build"}, add: []string{"--message-format=json"}, chosen: []string{"--message-format"}, findings: []int{101}, read: readCargo},
		{words: []string{"cargo", "test"}, add: []string{"--message-format=json"}, chosen: []string{"--message-format"}, findings: []int{101}, read: readCargo},
		{words: []string{"rubocop"}, add: []string{"--format", "json"}, chosen: []string{"--format", "-f"}, findings: []int{1}, read: readRubocop},
		{words: []string{"shellcheck"}, add: []string{"-f", "json1"}, chosen: []string{"-f", "--format"}, findings: []int{1}, read: readShellcheck},
	}
}

// starters are words that only start the tool behind them.
var starters = [][]string{
	{"npx", "--no-install"}, {"npx", "--no"}, {"npx"}, {"pnpm", "exec"}, {"yarn"}, {"bunx"}, {"uv", "run"}, {"poetry", "run"}, {"pipenv", "run"},
	{"python3", "-m"}, {"python", "-m"}, {"bundle", "exec"}, {"nice"}, {"env"},
}

// starter returns how many words of a command come before the tool itself.
func starter(argv []string) int {
	for _, s := range starters {
		if len(argv) > len(s) && program(argv[0]) == s[0] && slices.Equal(argv[1:len(s)], s[1:]) {
			return len(s)
		}
	}
	return 0
}

func program(word string) string {
	return strings.TrimSuffix(path.Base(strings.ReplaceAll(word, `\`, "/")), ".exe")
}

// formOf returns the form of a command, and how many of its words name the tool. A tool that is not known
// has none.
func formOf(argv []string) (f form, words int) {
	from := starter(argv)
	for _, f := range forms() {
		to := from + len(f.words)
		if len(argv) >= to && program(argv[from]) == f.words[0] && slices.Equal(argv[from+1:to], f.words[1:]) {
			return f, to
		}
	}
	return form{}, 0
}

// chose says whether the user has said how the tool is to speak.
func (f form) chose(rest []string) bool {
	return begins(rest, f.add) || begins(rest, f.chosen)
}

// begins says whether one of the words is an option of the list, or begins with a long one.
func begins(words, options []string) bool {
	return slices.ContainsFunc(words, func(word string) bool {
		return slices.ContainsFunc(options, func(o string) bool {
			return strings.HasPrefix(o, "-") && (word == o || len(o) > 2 && strings.HasPrefix(word, o))
		})
	})
}

// Command is the command as it is run but for the words that stand for files: with what the tool must be
// told so that its findings can be read. It is what the user is asked about.
func (t Tool) Command() Command {
	f, at := formOf(t.Argv)
	if at == 0 {
		return slices.Clone(t.Argv)
	}
	rest := t.Argv[at:]
	var add []string
	if !f.chose(rest) {
		add = append(add, f.add...)
	}
	if !begins(rest, f.loud) {
		add = append(add, f.quiet...)
	}
	return slices.Concat(t.Argv[:at], add, rest)
}

// reader is how the output of the command is read.
func (t Tool) reader() (read func(*reading), findings []int) {
	f, at := formOf(t.Argv)
	read = f.read
	if at > 0 && f.chose(t.Argv[at:]) && len(f.add) > 0 && !slices.Contains(t.Argv, f.add[0]) {
		read = f.otherwise // the user chose another form
	}
	switch {
	case read != nil:
	case t.Argv.reports():
		read = readJUnit
	case t.Tests:
		read = readRunners
	default:
		read = readLines
	}
	return read, f.findings
}

var subcommand = regexp.MustCompile(`^[a-z][a-z0-9:-]*$`)

// Name is how the tool is called in a verdict: "go vet", "ruff", "npm test".
func (t Tool) Name() string {
	if len(t.Argv) == 0 {
		return ""
	}
	from := starter(t.Argv)
	name := program(t.Argv[from])
	if _, at := formOf(t.Argv); at > from+1 && !strings.HasPrefix(t.Argv[at-1], "-") {
		return name + " " + t.Argv[at-1]
	} else if at > 0 {
		return name
	}
	if len(t.Argv) > from+1 && subcommand.MatchString(t.Argv[from+1]) {
		name += " " + t.Argv[from+1]
	}
	return name
}

// filled puts the changed files in. A name that could be taken for an option is one no more.
func (c Command) filled(files []string) Command {
	var list Command
	for _, word := range c {
		switch word {
		case wordFiles:
			for _, f := range files {
				list = append(list, asPath(f))
			}
		case wordDirs:
			var dirs []string
			for _, f := range files {
				if d := asFolder(path.Dir(f)); !slices.Contains(dirs, d) {
					dirs = append(dirs, d)
				}
			}
			slices.Sort(dirs)
			list = append(list, dirs...)
		default:
			list = append(list, word)
		}
	}
	return list
}

func asPath(name string) string {
	if strings.HasPrefix(name, "-") || strings.HasPrefix(name, "@") || strings.HasPrefix(name, "+") {
		return "./" + name
	}
	return name
}

// asFolder writes a folder as go and cargo want one: "./agent", and "." for the root.
func asFolder(dir string) string {
	if dir == "." {
		return dir
	}
	return "./" + dir
}
