package verify

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestTheToolsOfARepository: what it configures, and nothing else. A test is marked by a "+", a formatter by a "~".
func TestTheToolsOfARepository(t *testing.T) {
	const pkg = `{"scripts": {"test": %q}, "devDependencies": {%s}}`
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"empty":         {nil, ""},
		"go":            {map[string]string{"go.mod": "module x\n", "a/a.go": ""}, "go vet {dirs}; ~gofmt -w {files}"},
		"go with tests": {map[string]string{"go.mod": "", "a/a_test.go": ""}, "go vet {dirs}; ~gofmt -w {files}; +go test -json ./..."},
		"go below":      {map[string]string{"sub/go.mod": "", "sub/a.go": "", "vendor/x/go.mod": "", "vendor/x/a.go": "", "a/testdata/m/go.mod": "", "a/testdata/m/a.go": ""}, "go vet {dirs} in sub; ~gofmt -w {files} in sub"},
		"go in go": {map[string]string{"go.mod": "", "a.go": "", "sub/go.mod": "", "sub/a_test.go": "", "sub/sub/go.mod": "", "sub/sub/a.go": "", "subs/a.go": ""},
			"go vet {dirs} but sub, sub/sub; go vet {dirs} in sub but sub/sub; go vet {dirs} in sub/sub; ~gofmt -w {files}; +go test -json ./... in sub but sub/sub"},
		"workspaces": {map[string]string{"package.json": fmt.Sprintf(pkg, "jest", ""), "packages/a/package.json": fmt.Sprintf(pkg, "jest", "")}, "+npm test"},
		"packages": {map[string]string{"package.json": "{}", "packages/a/package.json": fmt.Sprintf(pkg, "jest", ""), "packages/b/package.json": fmt.Sprintf(pkg, "jest", ""),
			"node_modules/x/package.json": fmt.Sprintf(pkg, "jest", "")}, "+npm test in packages/a; +npm test in packages/b"},
		"python below": {map[string]string{"server/pyproject.toml": "[tool.ruff]\n", "server/a.py": "", "web/package.json": fmt.Sprintf(pkg, "jest", "")},
			"ruff check --output-format json {files} in server; +npm test in web"},
		"a crate of a crate": {map[string]string{"rs/Cargo.toml": "", "rs/src/main.rs": "", "rs/sub/Cargo.toml": "", "rs/sub/src/lib.rs": ""},
			"cargo check --message-format=json in rs; ~cargo fmt in rs; +cargo test --message-format=json in rs"},
		"a module without go": {map[string]string{"go.mod": ""}, ""},
		"go linters": {map[string]string{"go.mod": "tool honnef.co/go/tools/cmd/staticcheck\n", ".golangci.yml": "", "a.go": ""},
			"go vet {dirs}; staticcheck -f json {dirs}; golangci-lint run --output.json.path stdout {dirs}; ~gofmt -w {files}"},
		"staticcheck.conf": {map[string]string{"go.mod": "", "staticcheck.conf": "", "a.go": ""}, "go vet {dirs}; staticcheck -f json {dirs}; ~gofmt -w {files}"},
		"python alone":     {map[string]string{"a.py": "", "pyproject.toml": "[project]\nname = \"tool.ruff\"\n"}, ""},
		"pyproject": {map[string]string{"a.py": "", "pyproject.toml": "[tool.ruff.lint]\nselect = []\n[tool.mypy]\n[[tool.mypy.overrides]]\n[tool.pyright]\n[tool.pytest.ini_options]\n"},
			"ruff check --output-format json {files}; mypy {files}; pyright --outputjson {files}; +pytest --junitxml={report} -q"},
		"half a pyproject":  {map[string]string{"a.py": "", "pyproject.toml": "[tool.ruff"}, ""},
		"uv":                {map[string]string{"a.py": "", "uv.lock": "", "ruff.toml": ""}, "uv run ruff check --output-format json {files}"},
		"poetry":            {map[string]string{"a.py": "", "poetry.lock": "", "tests/conftest.py": ""}, "+poetry run pytest --junitxml={report} -q"},
		"pipenv":            {map[string]string{"a.py": "", "Pipfile.lock": "", "mypy.ini": ""}, "pipenv run mypy {files}"},
		"hooks":             {map[string]string{"a.py": "", ".pre-commit-config.yaml": "repos:\n- hooks:\n  - id: ruff-format\n"}, "ruff check --output-format json {files}; ~ruff format {files}"},
		"setup.cfg":         {map[string]string{"a.py": "", "setup.cfg": "[mypy]\nx = 1\n[tool:pytest]\n"}, "mypy {files}; +pytest --junitxml={report} -q"},
		"tox.ini":           {map[string]string{"a.py": "", "tox.ini": "[pytest]\n"}, "+pytest --junitxml={report} -q"},
		"requirements":      {map[string]string{"a.py": "", "requirements-dev.txt": "flask\npytest>=8 # tests\n"}, "+pytest --junitxml={report} -q"},
		"other requirement": {map[string]string{"a.py": "", "requirements.txt": "pytest-cov\n"}, ""},
		"no python":         {map[string]string{"a.go": "", "pytest.ini": ""}, ""},
		"npm": {map[string]string{"package.json": fmt.Sprintf(pkg, "jest", `"eslint": "9", "typescript": "5"`), "tsconfig.json": "{}", "eslint.config.mjs": ""},
			"npx --no-install eslint -f json {files}; npx --no-install tsc --pretty false --noEmit; +npm test"},
		"pnpm":                   {map[string]string{"package.json": fmt.Sprintf(pkg, "vitest run", ""), "pnpm-lock.yaml": ""}, "+pnpm test"},
		"yarn":                   {map[string]string{"package.json": fmt.Sprintf(pkg, "jest", `"eslint": "8"`), "yarn.lock": "", ".eslintrc.json": ""}, "yarn eslint -f json {files}; +yarn test"},
		"no test":                {map[string]string{"package.json": fmt.Sprintf(pkg, `echo "Error: no test specified" && exit 1`, "")}, ""},
		"eslint not configured":  {map[string]string{"package.json": fmt.Sprintf(pkg, "", `"eslint": "9"`)}, ""},
		"typescript alone":       {map[string]string{"package.json": fmt.Sprintf(pkg, "", `"typescript": "5"`)}, ""},
		"eslint in package.json": {map[string]string{"package.json": `{"dependencies": {"eslint": "8"}, "eslintConfig": {}}`}, "npx --no-install eslint -f json {files}"},
		"half a package.json":    {map[string]string{"package.json": `{"scripts": {"test": "jest"`}, ""},
		"rust":                   {map[string]string{"Cargo.toml": "", "src/main.rs": ""}, "cargo check --message-format=json; ~cargo fmt; +cargo test --message-format=json"},
		"ruby":                   {map[string]string{".rubocop.yml": "", "Gemfile.lock": "", "a.rb": ""}, "bundle exec rubocop --format json {files}"},
		"shell":                  {map[string]string{".shellcheckrc": "", "bin/a.sh": ""}, "shellcheck -f json1 {files}"},
		"two languages": {map[string]string{"go.mod": "", "a_test.go": "", "Cargo.toml": "", "src/main.rs": ""},
			"go vet {dirs}; cargo check --message-format=json; ~gofmt -w {files}; ~cargo fmt; +go test -json ./...; +cargo test --message-format=json"},
		"black":            {map[string]string{"a.py": "", "pyproject.toml": "[tool.black]\nline-length = 100\n"}, "~black {files}"},
		"black as a hook":  {map[string]string{"a.py": "", "poetry.lock": "", ".pre-commit-config.yaml": "repos:\n- hooks:\n  - id: black\n"}, "~poetry run black {files}"},
		"black required":   {map[string]string{"a.py": "", "requirements.txt": "Black==24.1\n"}, "~black {files}"},
		"ruff's formatter": {map[string]string{"a.py": "", "pyproject.toml": "[tool.ruff.format]\nquote-style = \"single\"\n"}, "ruff check --output-format json {files}; ~ruff format {files}"},
		"ruff.toml":        {map[string]string{"a.py": "", "ruff.toml": "[format]\n"}, "ruff check --output-format json {files}; ~ruff format {files}"},
		"black beside ruff": {map[string]string{"a.py": "", "pyproject.toml": "[tool.black]\n[tool.ruff.format]\n"},
			"ruff check --output-format json {files}; ~black {files}"},
		"prettier": {map[string]string{"package.json": fmt.Sprintf(pkg, "", `"prettier": "3"`), "yarn.lock": ""}, "~yarn prettier --write {files}"},
		"too long": {map[string]string{"a.py": "", "pyproject.toml": "[tool.ruff]\n" + strings.Repeat("#", mostConfig)}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, tool := range Detect(repository(c.files)) {
				text := tool.Command().String()
				if text = strings.NewReplacer(`"{dirs}"`, "{dirs}", `"{files}"`, "{files}", `"--junitxml={report}"`, "--junitxml={report}").Replace(text); tool.Tests {
					text = "+" + text
				}
				if tool.Formats {
					text = "~" + text
				}
				if tool.Dir != "" {
					text += " in " + tool.Dir
				}
				if len(tool.Except) > 0 {
					text += " but " + strings.Join(tool.Except, ", ")
				}
				got = append(got, text)
				if len(tool.Files) == 0 {
					t.Errorf("%s is about every file", text)
				}
				if f, at := formOf(tool.Argv); at == 0 && !tool.Formats && !slices.Contains([]string{"npm", "pnpm", "yarn"}, tool.Argv[0]) {
					t.Errorf("nobody knows how to read %s: %+v", text, f)
				}
			}
			if text := strings.Join(got, "; "); text != c.want {
				t.Errorf("%s, want %s", text, c.want)
			}
		})
	}
}

func repository(files map[string]string) Repository {
	return Repository{Files: slices.Sorted(maps.Keys(files)), Read: func(path string) (string, error) {
		text, ok := files[path]
		if !ok {
			return "", errors.New("no such file")
		}
		return text, nil
	}}
}

// FuzzDetecting: whatever stands in the files, no command is made of it.
func FuzzDetecting(f *testing.F) {
	f.Add("[tool.ruff]\n", `{"scripts":{"test":"x"},"devDependencies":{"eslint":"1","typescript":"5"},"eslintConfig":1}`, "honnef.co/go/tools", "pytest==1")
	f.Add("[[tool.mypy]]", `{"scripts":{"test":7}}`, "", "")
	f.Fuzz(func(t *testing.T, project, pkg, mod, requirements string) {
		known := map[string]bool{}
		all := map[string]string{"pyproject.toml": "[tool.ruff]\n[tool.mypy]\n[tool.pyright]\n[tool.pytest]\n", "package.json": `{"scripts":{"test":"x"},"devDependencies":{"eslint":"1","typescript":"5"},"eslintConfig":1}`,
			"go.mod": "honnef.co/go/tools", "requirements.txt": "pytest", "a.py": "", "a_test.go": "", "tsconfig.json": ""}
		for _, tool := range Detect(repository(all)) {
			known[tool.Command().String()] = true
		}
		files := maps.Clone(all)
		files["pyproject.toml"], files["package.json"], files["go.mod"], files["requirements.txt"] = project, pkg, mod, requirements
		for _, tool := range Detect(repository(files)) {
			if !known[tool.Command().String()] {
				t.Errorf("%s", tool.Command())
			}
		}
	})
}
