package verify

import (
	"cmp"
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Repository is what Detect may know of one: the names of its files, with slashes, and the texts of those few that
// configure tools. All of it is somebody else's.
type Repository struct {
	Files []string
	Read  func(path string) (string, error)
}

// mostConfig is how long a file that configures tools may be, in bytes. A longer one is passed over.
const mostConfig = 1 << 20

// Detect returns the linters, formatters and tests that a repository shows to use: those that it configures or depends on,
// and those of the languages that bring them. Where the root says nothing of a language, the folders below it do that have a
// project of it, and modules of Go stand for themselves everywhere. What it returns is to be offered, not to be run.
func Detect(r Repository) []Tool {
	projects := map[string][]string{} // folders, by the name of the file that makes one a project
	for _, f := range r.Files {
		if dir, name := path.Split(f); slices.Contains(projectFiles, name) && !notOurs(f) {
			projects[name] = append(projects[name], strings.TrimSuffix(dir, "/"))
		}
	}
	var found []Tool
	for _, l := range languages() {
		var nested []string
		for _, name := range l.projects {
			for _, dir := range projects[name] {
				if dir != "" && !slices.Contains(nested, dir) {
					nested = append(nested, dir)
				}
			}
		}
		slices.Sort(nested)
		list := toolsOf(r, l, "", nested)
		if len(list) == 0 || l.apart {
			for _, dir := range nested[:min(len(nested), mostProjects)] {
				if !l.apart && slices.ContainsFunc(list, func(t Tool) bool { return t.Dir != "" && strings.HasPrefix(dir, t.Dir+"/") }) {
					continue
				}
				list = append(list, toolsOf(r, l, dir, nested)...)
			}
		}
		found = append(found, list...)
	}
	// Tests take longest, and say least about where.
	slices.SortStableFunc(found, func(a, b Tool) int { return cmp.Compare(turnOf(a), turnOf(b)) })
	return found
}

// language is what is looked for of one.
type language struct {
	find     func(d *detector)
	projects []string // names of files that make a folder a project
	apart    bool     // a project in another one is no part of it
}

func languages() []language {
	return []language{
		{find: (*detector).golang, projects: []string{"go.mod"}, apart: true},
		{find: (*detector).python, projects: []string{"pyproject.toml", "setup.cfg", "setup.py", "pytest.ini", "ruff.toml", "mypy.ini"}},
		{find: (*detector).script, projects: []string{"package.json"}},
		{find: (*detector).rust, projects: []string{"Cargo.toml"}},
		{find: (*detector).ruby, projects: []string{".rubocop.yml"}},
		{find: (*detector).shell},
	}
}

var projectFiles = []string{"go.mod", "pyproject.toml", "setup.cfg", "setup.py", "pytest.ini", "ruff.toml", "mypy.ini", "package.json", "Cargo.toml", ".rubocop.yml"}

// mostProjects is how many projects of a language are looked at below the root.
const mostProjects = 20

// notOurs says whether a file lies among what others have written, or is an example for a test.
func notOurs(file string) bool {
	return slices.ContainsFunc(strings.Split(file, "/"), func(name string) bool {
		switch name {
		case "vendor", "node_modules", "testdata", "third_party", "fixtures":
			return true
		}
		return false
	}) || strings.HasPrefix(file, ".") && strings.Contains(file, "/")
}

// toolsOf looks for the tools of a language in one folder. nested are the other projects of that language.
func toolsOf(r Repository, l language, dir string, nested []string) []Tool {
	d := &detector{r: r, dir: dir, at: map[string]bool{}, kinds: map[string]bool{}}
	if l.apart {
		for _, n := range nested {
			if n != dir && (dir == "" || strings.HasPrefix(n, dir+"/")) {
				d.except = append(d.except, n)
			}
		}
	}
	for _, f := range r.Files {
		if !(Tool{Dir: dir, Except: d.except}).about(f) {
			continue
		}
		in, name := path.Split((Tool{Dir: dir}).within([]string{f})[0])
		if in == "" {
			d.at[name] = true
		}
		switch {
		case strings.HasSuffix(name, "_test.go"):
			d.kinds["_test.go"] = true
		case name == "conftest.py":
			d.kinds[name] = true
		default:
			d.kinds[path.Ext(name)] = true
		}
	}
	l.find(d)
	return d.found
}

// turnOf is when a tool is offered and runs.
func turnOf(t Tool) int {
	switch {
	case t.Tests:
		return 2
	case t.Formats:
		return 1
	}
	return 0
}

// detector looks at one folder.
type detector struct {
	r      Repository
	dir    string          // "" is the root
	except []string        // folders in it that are looked at for themselves
	at     map[string]bool // the names in it
	kinds  map[string]bool // extensions of all files below it, and what tests are called
	found  []Tool
}

func (d *detector) lint(files []string, argv ...string) {
	d.found = append(d.found, Tool{Argv: argv, Files: files, Dir: d.dir, Except: d.except})
}

// format is about files alone, so that projects within this one are no matter.
func (d *detector) format(files []string, argv ...string) {
	d.found = append(d.found, Tool{Argv: argv, Files: files, Formats: true, Dir: d.dir})
}

func (d *detector) test(files []string, argv ...string) {
	d.found = append(d.found, Tool{Argv: argv, Files: files, Tests: true, Dir: d.dir, Except: d.except})
}

// has says whether one of the names is a file of the folder, and which.
func (d *detector) has(names ...string) string {
	for _, n := range names {
		if d.at[n] {
			return n
		}
	}
	return ""
}

// text is a file of the folder; "" where it is not there or cannot be read.
func (d *detector) text(name string) string {
	if !d.at[name] {
		return ""
	}
	text, err := d.r.Read(path.Join(d.dir, name))
	if err != nil || len(text) > mostConfig {
		return ""
	}
	return text
}

var goFiles = []string{"*.go", "go.mod"}

func (d *detector) golang() {
	mod := d.text("go.mod")
	if !d.at["go.mod"] || !d.kinds[".go"] && !d.kinds["_test.go"] {
		return
	}
	d.lint([]string{"*.go"}, "go", "vet", wordDirs)
	if d.at["staticcheck.conf"] || strings.Contains(mod, "honnef.co/go/tools") {
		d.lint([]string{"*.go"}, "staticcheck", wordDirs)
	}
	if d.has(".golangci.yml", ".golangci.yaml", ".golangci.toml", ".golangci.json") != "" {
		d.lint([]string{"*.go"}, "golangci-lint", "run", wordDirs)
	}
	if d.dir == "" || !slices.Contains(d.r.Files, "go.mod") { // else the root's does it
		d.format([]string{"*.go"}, "gofmt", "-w", wordFiles)
	}
	if d.kinds["_test.go"] {
		d.test(goFiles, "go", "test", "./...")
	}
}

var (
	pyFiles   = []string{"*.py", "*.pyi"}
	pyTables  = regexp.MustCompile(`(?m)^\s*\[+\s*tool\.(ruff|mypy|pyright|pytest|black)\s*[].]`)
	iniPytest = regexp.MustCompile(`(?m)^\[(?:tool:)?pytest\]`)
	iniMypy   = regexp.MustCompile(`(?m)^\[mypy\]`)
	wantsPy   = regexp.MustCompile(`(?m)^\s*(pytest|black)\s*(?:[\[<>=~!;#].*)?$`)
	hooksPy   = regexp.MustCompile(`(?m)^\s*-?\s*id:\s*(ruff-format|ruff|black)\b`)
	ruffForm  = regexp.MustCompile(`(?m)^\s*\[+\s*(tool\.ruff\.)?format\s*[].]`)
)

func (d *detector) python() {
	if !d.kinds[".py"] {
		return
	}
	project := named(pyTables, d.text("pyproject.toml"))
	starter := []string{}
	switch {
	case d.at["uv.lock"]:
		starter = []string{"uv", "run"}
	case d.at["poetry.lock"]:
		starter = []string{"poetry", "run"}
	case d.at["Pipfile.lock"]:
		starter = []string{"pipenv", "run"}
	}
	run := func(argv ...string) []string { return slices.Concat(starter, argv) }
	setup := d.text("setup.cfg")
	wants, hooks := d.requires(), named(hooksPy, d.text(".pre-commit-config.yaml"))
	ruff := d.has("ruff.toml", ".ruff.toml")
	if project["ruff"] || ruff != "" || hooks["ruff"] || hooks["ruff-format"] {
		d.lint(pyFiles, run("ruff", "check", wordFiles)...)
	}
	if project["mypy"] || d.has("mypy.ini", ".mypy.ini") != "" || iniMypy.MatchString(setup) {
		d.lint(pyFiles, run("mypy", wordFiles)...)
	}
	if project["pyright"] || d.at["pyrightconfig.json"] {
		d.lint(pyFiles, run("pyright", wordFiles)...)
	}
	switch {
	case project["black"] || hooks["black"] || wants["black"]:
		d.format(pyFiles, run("black", wordFiles)...)
	case hooks["ruff-format"] || ruffForm.MatchString(d.text(ruff)) || project["ruff"] && ruffForm.MatchString(d.text("pyproject.toml")):
		d.format(pyFiles, run("ruff", "format", wordFiles)...)
	}
	if project["pytest"] || d.has("pytest.ini", ".pytest.ini") != "" || d.kinds["conftest.py"] || iniPytest.MatchString(setup+"\n"+d.text("tox.ini")) || wants["pytest"] {
		d.test([]string{"*.py"}, run("pytest")...)
	}
}

// requires are the known tools that lists of requirements name.
func (d *detector) requires() map[string]bool {
	var lists strings.Builder
	for name := range d.at {
		if strings.HasPrefix(name, "requirements") && strings.HasSuffix(name, ".txt") {
			lists.WriteString(strings.ToLower(d.text(name)) + "\n")
		}
	}
	return named(wantsPy, lists.String())
}

// named are the names that a pattern finds in a text: its first group.
func named(pattern *regexp.Regexp, text string) map[string]bool {
	set := map[string]bool{}
	for _, found := range pattern.FindAllStringSubmatch(text, -1) {
		set[found[1]] = true
	}
	return set
}

// noTest is the script that npm init writes.
const noTest = "no test specified"

func (d *detector) script() {
	var p struct {
		Dependencies    map[string]any
		DevDependencies map[string]any
		ESLintConfig    any `json:"eslintConfig"`
	}
	text := d.text("package.json")
	if json.Unmarshal([]byte(text), &p) != nil {
		return
	}
	uses := func(name string) bool { return p.Dependencies[name] != nil || p.DevDependencies[name] != nil }
	manager, run := "npm", []string{"npx", "--no-install"}
	switch {
	case d.at["pnpm-lock.yaml"]:
		manager, run = "pnpm", []string{"pnpm", "exec"}
	case d.at["yarn.lock"]:
		manager, run = "yarn", []string{"yarn"}
	}
	configured := p.ESLintConfig != nil || d.has("eslint.config.js", "eslint.config.mjs", "eslint.config.cjs", "eslint.config.ts",
		".eslintrc", ".eslintrc.js", ".eslintrc.cjs", ".eslintrc.json", ".eslintrc.yml", ".eslintrc.yaml") != ""
	if uses("eslint") && configured {
		files := []string{"*.js", "*.jsx", "*.mjs", "*.cjs"}
		if uses("typescript") || uses("typescript-eslint") {
			files = append(files, "*.ts", "*.tsx")
		}
		d.lint(files, slices.Concat(run, []string{"eslint", wordFiles})...)
	}
	if uses("typescript") && d.at["tsconfig.json"] {
		d.lint([]string{"*.ts", "*.tsx", "*.mts", "*.cts"}, slices.Concat(run, []string{"tsc", "--noEmit"})...)
	}
	if uses("prettier") {
		d.format([]string{"*.js", "*.jsx", "*.mjs", "*.cjs", "*.ts", "*.tsx", "*.mts", "*.cts", "*.vue", "*.css", "*.scss", "*.less", "*.html", "*.json", "*.md", "*.yaml", "*.yml"},
			slices.Concat(run, []string{"prettier", "--write", wordFiles})...)
	}
	if test := scriptsOf(text)["test"]; test != "" && !strings.Contains(test, noTest) {
		d.test([]string{"*.js", "*.jsx", "*.mjs", "*.cjs", "*.ts", "*.tsx", "*.mts", "*.cts", "*.vue", "*.svelte", "*.json"}, manager, "test")
	}
}

func (d *detector) rust() {
	if d.at["Cargo.toml"] && d.kinds[".rs"] {
		files := []string{"*.rs", "Cargo.toml"}
		d.lint(files, "cargo", "check")
		d.format([]string{"*.rs"}, "cargo", "fmt")
		d.test(files, "cargo", "test")
	}
}

func (d *detector) ruby() {
	if d.at[".rubocop.yml"] && d.kinds[".rb"] {
		argv := []string{"rubocop", wordFiles}
		if d.at["Gemfile.lock"] {
			argv = slices.Concat([]string{"bundle", "exec"}, argv)
		}
		d.lint([]string{"*.rb"}, argv...)
	}
}

func (d *detector) shell() {
	if d.at[".shellcheckrc"] && d.kinds[".sh"] {
		d.lint([]string{"*.sh"}, "shellcheck", wordFiles)
	}
}
