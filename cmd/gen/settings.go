package main

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"coauthor/agent/settings"
)

// section is a chapter of the page of settings: some groups of them, and what has to be known of all.
type section struct {
	title, intro string
	groups       []string // or whole names, of settings without a group
}

var sections = []section{
	{
		title: "Models and keys", groups: []string{"model", "models", "apiBase", "apiKeyEnv", "apiKeyCommand", "editFormat", "env"},
		intro: `[MODELS.md](MODELS.md) lists built-in models and providers. Settings never contain a key. Servers other than the
provider's get a key only through ` + "`apiKeyEnv` or `apiKeyCommand`" + `, even if ` + "`OPENAI_API_KEY`" + ` is set.
` + "`OPENAI_BASE_URL` or `OPENAI_API_BASE`" + ` is the default ` + "`apiBase`" + ` for OpenAI's models, and gets that key.
Coauthor never searches for ` + "`.env`" + ` files: a repository could contain one.

For thinking, the order is: flags and session commands, the model's entry in ` + "`models`" + `, the settings below.`,
	},
	{title: "Requests", groups: []string{"turn", "architect", "auto"}},
	{
		title: "Your own commands, shell and comments", groups: []string{"actions", "shell", "comments"},
		intro: `A comment marked ` + "`AI!`" + ` is an instruction, and one marked ` + "`AI?`" + ` a question. Put the mark at the beginning or end of a line. Comments marked only ` + "`AI`" + ` are sent as context.
A request includes marked comments of other open documents and uncommitted files, and removes instructions that it has carried out.`,
	},
	{
		title: "Checks", groups: []string{"verify"},
		intro: `` + "`syntax`" + ` repairs what is certain. It restores missing definitions and removes unused Go imports. It adds imports that a file of the request or the
standard library of Python or Go determines, and missing exports to new scripts.

Commands run without a shell; ` + "`{files}`" + ` stands for the changed files, ` + "`{dirs}`" + ` for their folders, and ` + "`files`" + ` limits a command to matching files.
Coauthor asks once per folder and command, and again when a ` + "`package.json`" + ` script changes. Coauthor tells the model which linters and tests you use.
If both lists are empty, Coauthor once offers the folder's own linters and tests, after the first applied change.

Commands see the change and get no keys. Coauthor discards anything they write. If Linux allows namespaces, a sandbox keeps them from the network,
other programs and your home folder, except toolchains and build caches. ` + "`/tmp`, `/run`" + ` and files that usually hold secrets are empty there;
the result names those files. Elsewhere they run in a copy of the folder without a sandbox, and the question says so.`,
	},
	{
		title: "Context", groups: []string{"repoMap", "context", "files"},
		intro: `Ignored and secret files are not sent. Rules files are the nearest ` + "`AGENTS.override.md` or `AGENTS.md`" + ` above each file, the ` + "`AGENTS.md`" + `
next to your ` + "`config.yaml`, `CONVENTIONS.md`, `CLAUDE.md`" + ` with its imports, ` + "`.github/copilot-instructions.md`" + `, and what applies
of ` + "`.cursor/rules` and `.github/instructions`" + `.`,
	},
	{
		title: "Web pages", groups: []string{"web"},
		intro: `A page stays in the conversation until you drop it. Fetching a page sends none of your data and uses no proxy.`,
	},
	{
		title: "Conversations", groups: []string{"history"},
		intro: `Conversations are kept in ` + "`~/.local/state/coauthor/history` or below `$XDG_STATE_HOME`" + `.`,
	},
	{
		title: "Git", groups: []string{"git"},
		intro: `Changes that you save while no server runs are committed by the next one.`,
	},
	{
		title: "Whole projects", groups: []string{"pipeline"},
		intro: `Scripts run in a copy of the project, each only if you agree. By default, a shell runs them with your own rights:
on Linux with limits on memory, processes and disk, elsewhere with a time limit. For a container, and on Windows, set ` + "`pipeline.exec`" + `, such as
` + "`[podman, run, --rm, -v, \"{dir}:/work\", -w, /work, python:3, sh, \"{script}\"]`" + `.
` + "`\"linting\" = \"off\"` in `file_selection.toml`" + ` turns off ` + "`pipeline.format`" + ` for a project.`,
	},
	{title: "Preview and editor", groups: []string{"preview", "client"}},
	{
		title: "Network", groups: []string{"network"},
		intro: `Servers on this machine and hosts in ` + "`NO_PROXY`" + ` are reached without a proxy.`,
	},
	{title: "Trust and log", groups: []string{"trust", "log"}},
}

// settingsDoc writes the documentation of every setting.
func settingsDoc() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Settings\n\n<!-- %s -->\n\n", notice)
	b.WriteString(`Later places override earlier ones:

1. your file ` + "`~/.config/coauthor/config.yaml`" + ` (or ` + "`$XDG_CONFIG_HOME/coauthor/config.yaml`" + `),
2. the workspace's file ` + "`.coauthor/config.yaml`" + `,
3. the editor: section ` + "`coauthor`" + ` of its settings, or ` + "`initializationOptions.settings`" + `,
4. environment variables, such as ` + "`COAUTHOR_REPO_MAP_TOKENS` for `repoMap.tokens`" + ` (settings that are maps, or lists of commands or actions, have none),
5. flags of the command line.

` + "`repoMap.tokens: 2048`" + ` can also be written as ` + "`tokens: 2048` below `repoMap:`" + `.
` + shortNames() + `, in variables too (` + "`COAUTHOR_MODEL`" + `).
Changes take effect with the next request, ` + "`client` and `log.file`" + ` when the server starts.
Wrong names and values are reported and ignored.

## Trust

A repository can contain settings, so the workspace's file counts only if you trust the workspace: confirm it in your editor, or add
its folder to ` + "`trust.roots`" + `. The same applies to the settings of editors other than Neovim and Kakoune, since a repository can write them. Your API keys never go to a host that such settings name.
Exceptions are marked:

- *Workspace*: any workspace may set it. An untrusted workspace may choose a model that you have named, or one that your
  endpoint serves with your key. If you have chosen no model, it may choose one whose API key you have.
- *Workspace adds*: any workspace may add to the list.
- *Only yours*: no workspace may set it.
- *Editor*: only the editor, a variable or a flag may set it.
`)
	for _, s := range sections {
		fmt.Fprintf(&b, "\n## %s\n\n", s.title)
		if s.intro != "" {
			b.WriteString(s.intro + "\n\n")
		}
		for _, r := range settings.Rows() {
			if slices.Contains(s.groups, cmp.Or(r.Group(), r.Name)) {
				b.WriteString(settingDoc(r))
			}
		}
	}
	b.WriteString("\n## Entries of `models`\n\nA built-in model needs only the fields that differ. An entry `*` may have only `extraBody`, for all models.\n\n")
	fieldDocs(&b, settings.ModelFieldDocs())
	b.WriteString("\n## Entries of `actions`\n\n")
	fieldDocs(&b, settings.ActionFieldDocs())
	b.WriteString("\n## Example\n\n```yaml\n" + example + "```\n")
	return b.Bytes()
}

// settingDoc writes an item of a list about a setting.
func settingDoc(r settings.Row) string {
	text := fmt.Sprintf("- `%s`: %s", r.Name, r.Doc)
	if d := defaultOf(r); d != "" {
		text += " Default: " + d + "."
	}
	var about []string
	if t := typeOf(r); t != "" {
		about = append(about, t)
	}
	if r.Flag != "" {
		about = append(about, "`--"+r.Flag+"`")
	}
	switch {
	case r.Own:
		about = append(about, "only yours")
	case r.Scope == settings.Client:
		about = append(about, "editor")
	case r.Scope != settings.User:
		about = append(about, string(r.Scope))
	}
	if len(about) > 0 {
		if first := about[0]; first[0] != '`' {
			about[0] = strings.ToUpper(first[:1]) + first[1:]
		}
		text += " *" + strings.Join(about, "; ") + ".*"
	}
	text += "\n"
	for i, doc := range r.EnumDocs {
		text += fmt.Sprintf("  - `%s`: %s\n", r.Enum[i], doc)
	}
	return text
}

// fieldDocs writes a list about the fields of an entry.
func fieldDocs(b *bytes.Buffer, fields []settings.FieldDoc) {
	for _, f := range fields {
		if f.Type == "bool" || f.Type == "map" || f.Type == "list" {
			f.Name += "` (" + f.Type + ")"
		} else {
			f.Name += "`"
		}
		fmt.Fprintf(b, "- `%s: %s\n", f.Name, f.Doc)
	}
}

// shortNames says which settings the names of their groups stand for.
func shortNames() string {
	var short, long []string
	for _, r := range settings.Rows() {
		if r.Bare {
			short, long = append(short, "`"+r.Short()+"`"), append(long, "`"+r.Name+"`")
		}
	}
	return inWords(short) + " are short for " + inWords(long)
}

func inWords(list []string) string {
	last := len(list) - 1
	return strings.Join(list[:last], ", ") + " and " + list[last]
}

// example is read by the test, so it cannot be wrong.
const example = `model: fast
model.weak: work
verify: syntax
repoMap:
  tokens: 2048
models:
  fast:
    model: qwen2.5-coder-32b
    apiBase: http://127.0.0.1:8080/v1
    contextWindow: 32768
    editFormat: diff
  work:
    model: gpt-4.1
    apiKeyEnv: WORK_OPENAI_KEY
actions:
  - name: errors
    title: say what can fail here
    prompt: List what can fail in this code, and which of it is not handled.
    coder: ask
    languages: [go, rust]
    needsSelection: true
`

// typeOf says what a setting may be, as far as neither its default nor its EnumDocs show it; "" for nothing.
func typeOf(r settings.Row) string {
	switch {
	case r.Type == settings.Enum && r.EnumDocs == nil:
		return "`" + strings.Join(r.Enum, "|") + "`"
	case defaultOf(r) != "", r.Type == settings.String:
		return ""
	}
	return string(r.Type)
}

func defaultOf(r settings.Row) string {
	switch v := r.Default.(type) {
	case string:
		if v == "" {
			return ""
		}
		return "`" + v + "`"
	case bool, int:
		return fmt.Sprintf("`%v`", v)
	case time.Duration:
		return "`" + shortDuration(v) + "`"
	}
	return ""
}

// shortDuration writes 10m instead of 10m0s.
func shortDuration(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}
