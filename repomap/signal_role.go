package repomap

import (
	"path"
	"strings"

	"coauthor/repomap/record"
	"coauthor/repomap/vocab"
)

// role is what well-known files are for: those that describe a project, build it and configure its tools. Their texts
// seldom say it: the word dependency stands in no go.mod.
type role struct {
	words string // of requests that are about it
	files string // names in lower case, with * for any beginning or end
	tells bool   // they say what kind of project it is
}

// roles is the table. A file may have several.
var roles = []role{
	{"dependency dependencies dep deps library package module version upgrade update bump install require manifest",
		"go.mod package.json pyproject.toml setup.py setup.cfg requirements*.txt pipfile environment.yml cargo.toml pom.xml build.gradle build.gradle.kts libs.versions.toml gemfile *.gemspec composer.json mix.exs rebar.config package.swift pubspec.yaml deno.json build.sbt project.clj deps.edn stack.yaml *.cabal dune-project *.csproj directory.packages.props vcpkg.json conanfile.txt conanfile.py cpanfile description", true},
	{"build compile compiler target script task bundle",
		"makefile gnumakefile cmakelists.txt meson.build configure.ac build.bazel module.bazel workspace justfile taskfile.yml rakefile package.json pyproject.toml setup.py cargo.toml pom.xml build.gradle build.gradle.kts build.sbt build.zig *.csproj webpack.config.* vite.config.* rollup.config.* esbuild.* babel.config.* tsconfig.json gulpfile.js gruntfile.js", true},
	{"ci workflow pipeline action github travis job release publish deploy",
		".github/workflows/ .gitlab-ci.yml .travis.yml .circleci/ jenkinsfile azure-pipelines.yml .azure-pipelines.yml appveyor.yml .appveyor.yml .goreleaser.yml .goreleaser.yaml .drone.yml bitbucket-pipelines.yml .cirrus.yml", false},
	{"docker dockerfile container image compose deploy",
		"dockerfile dockerfile.* *.dockerfile containerfile docker-compose.yml docker-compose.yaml docker-compose.*.yml compose.yml compose.yaml .dockerignore procfile", false},
	{"lint linter format formatter formatting style typing hook",
		".golangci.yml .golangci.yaml .eslintrc* eslint.config.* .prettierrc* .stylelintrc* biome.json tslint.json .flake8 ruff.toml .pylintrc mypy.ini .pre-commit-config.yaml .editorconfig .clang-format .clang-tidy rustfmt.toml clippy.toml .rubocop.yml setup.cfg tox.ini pyproject.toml package.json", false},
	{"test tests coverage", "tox.ini pytest.ini noxfile.py jest.config.* jest.js vitest.config.* .coveragerc codecov.yml karma.conf.js .mocharc*", false},
	{"readme documentation docs doc project overview architecture introduction usage", "readme readme.* architecture.md", true},
	{"contribute contributing contributor", "contributing contributing.*", false},
}

// roleSignal lifts the files that a request is about by what they are for, and those that tell what kind of
// project it is in an overview. Those at the root are meant first.
func roleSignal(q *scoring) []float64 {
	tells := make([]float64, len(roles))
	silent := true
	rare := idf(1, len(q.files()))
	overview := q.overview() && len(q.r.MentionedFiles) == 0
	for k, r := range roles {
		if overview {
			if silent = false; r.tells {
				tells[k] = 1
			}
			continue
		}
		words := map[string]bool{}
		for _, t := range vocab.Query(r.words) {
			words[t] = true
		}
		for _, t := range q.question.stems {
			if words[t.text] {
				tells[k] += t.tells / rare
			}
		}
		tells[k] = min(1, tells[k])
		silent = silent && tells[k] == 0
	}
	if silent {
		return nil
	}
	out := make([]float64, len(q.files()))
	q.eachFile(func(i int, f *record.Record) {
		depth := strings.Count(strings.TrimPrefix(f.Path, ".github/workflows/"), "/")
		if f.Class == record.Vendored || f.Class == record.Made || depth > deepestRole || overview && f.Class != record.Prose { // a build file of a thousand rules would be all of an overview
			return
		}
		has := rolesOf(f.Path)
		for k := 0; has != 0; k, has = k+1, has>>1 {
			if has&1 != 0 {
				out[i] = max(out[i], tells[k]/float64(1+depth))
			}
		}
	})
	return out
}

// deepestRole is how many folders a file with a role may be in: those below are of examples and tests.
const deepestRole = 3

// rolesOf gives the roles of a file, the first as the lowest bit.
func rolesOf(file string) (has uint16) {
	lower := strings.ToLower(file)
	base := path.Base(lower)
	has = roleNames.whole[base]
	for _, n := range roleNames.folders {
		if strings.HasPrefix(lower, n.before) {
			has |= n.has
		}
	}
	for _, n := range roleNames.parts {
		if len(base) >= len(n.before)+len(n.after) && strings.HasPrefix(base, n.before) && strings.HasSuffix(base, n.after) {
			has |= n.has
		}
	}
	return has
}

// roleName is a name of the table that many files may have.
type roleName struct {
	before, after string
	has           uint16
}

// roleNames is the table by names.
var roleNames = func() (t struct {
	whole          map[string]uint16
	parts, folders []roleName
}) {
	t.whole = map[string]uint16{}
	for k, r := range roles {
		for name := range strings.FieldsSeq(r.files) {
			before, after, star := strings.Cut(name, "*")
			switch n := (roleName{before, after, 1 << k}); {
			case star:
				t.parts = append(t.parts, n)
			case strings.HasSuffix(name, "/"):
				t.folders = append(t.folders, n)
			default:
				t.whole[name] |= n.has
			}
		}
	}
	return t
}()

// testAffixes are what a test's name has before or behind the name of the file that it tests, in all languages: which of them a
// language has is told by the files themselves.
var testAffixes = struct{ before, behind []string }{
	before: []string{"test_", "test-", "Test"},
	behind: []string{"_test", "_tests", "_spec", ".test", ".tests", ".spec", "-test", "-spec", "Tests", "Test", "Spec"},
}

// testedStem is the name of the file that a test's name says it tests, without its extension.
func testedStem(file string) string {
	stem := stemOf(file)
	for _, a := range testAffixes.behind {
		if s, ok := strings.CutSuffix(stem, a); ok && s != "" {
			return s
		}
	}
	for _, a := range testAffixes.before {
		if s, ok := strings.CutPrefix(stem, a); ok && s != "" {
			return s
		}
	}
	return stem
}

func stemOf(file string) string {
	base := path.Base(file)
	return strings.TrimSuffix(base, path.Ext(base))
}

// testsOf are the tests of the chat files that their names tell: src/sql/compiler.py has test/sql/test_compiler.py, wherever tests lie. Of
// several by that name it is the one whose folders have most in common with those of the file; where that are two, none is told.
func testsOf(q *scoring) (list []int) {
	for _, c := range q.chat {
		from := q.files()[c]
		if from.Class != record.Code {
			continue
		}
		best, most, alone := -1, -1, false
		stem := stemOf(from.Path)
		for i, f := range q.files() {
			if f.Class != record.Test || !strings.Contains(f.Path, stem) || testedStem(f.Path) != stem || family(f.Path) != family(from.Path) {
				continue
			}
			switch n := commonFolders(path.Dir(f.Path), path.Dir(from.Path)); {
			case n > most:
				best, most, alone = i, n, true
			case n == most:
				alone = false
			}
		}
		if alone && !q.skip[best] {
			list = append(list, best)
		}
	}
	return list
}

// commonFolders counts the folders that two paths have in common at their beginnings and at their ends.
func commonFolders(a, b string) int {
	x, y := strings.Split(a, "/"), strings.Split(b, "/")
	n := 0
	for len(x) > 0 && len(y) > 0 && x[0] == y[0] {
		x, y, n = x[1:], y[1:], n+1
	}
	for len(x) > 0 && len(y) > 0 && x[len(x)-1] == y[len(y)-1] {
		x, y, n = x[:len(x)-1], y[:len(y)-1], n+1
	}
	return n
}
