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
		intro: `[MODELS.md](MODELS.md) lists the built-in models and providers. Settings contain no API keys. Servers other than the
provider's receive a key only through ` + "`apiKeyEnv` or `apiKeyCommand`" + `, even if ` + "`OPENAI_API_KEY`" + ` is set.
` + "`OPENAI_BASE_URL` or `OPENAI_API_BASE`" + ` is the default ` + "`apiBase`" + ` for OpenAI's models and receives that key.
Coauthor does not search for ` + "`.env`" + ` files; only ` + "`coauthor init`" + ` looks for one in the project and in your home folder, and asks before it uses it.`,
	},
	{title: "Requests", groups: []string{"turn", "auto"}},
	{
		title: "Custom commands, shell and comments", groups: []string{"actions", "shell", "comments"},
		intro: `Put the marker ` + "`AI!` or `AI?`" + ` at the beginning or end of a comment line. Comments marked ` + "`AI`" + ` only provide context.
A request includes marked comments in other open documents and uncommitted files. It removes instructions that it has carried out.`,
	},
	{
		title: "Checks", groups: []string{"verify"},
		intro: `` + "`syntax`" + ` also fixes clear mistakes. It restores missing definitions, removes unused Go imports, and adds missing exports to new scripts.
It adds imports that it finds in the request's files or in the standard library of Python or Go.

Commands run without a shell. ` + "`{files}`" + ` stands for the changed files and ` + "`{dirs}`" + ` for their folders; ` + "`files`" + ` limits a command to matching files.
Coauthor asks once per folder and command, and again when a ` + "`package.json`" + ` script changes.
If both lists are empty, Coauthor offers to use the folder's linters and tests after the first applied change.

Commands see the change but no API keys, and Coauthor discards anything they write. On Linux with namespaces, they run in a sandbox without access to the network,
other programs or your home folder, except for toolchains and build caches. In the sandbox, ` + "`/tmp`, `/run`" + ` and files that usually contain secrets are empty;
the result lists those files. On other systems, they run in a copy of the folder without a sandbox, and Coauthor warns you before it asks.`,
	},
	{
		title: "Context", groups: []string{"repoMap", "context", "files"},
		intro: `Coauthor does not send ignored or secret files. Rules files are the nearest ` + "`AGENTS.override.md` or `AGENTS.md`" + ` above each file, the ` + "`AGENTS.md`" + `
next to your ` + "`config.yaml`, `CONVENTIONS.md`, `CLAUDE.md`" + ` with its imports, ` + "`.github/copilot-instructions.md`" + `, and applicable
rules in ` + "`.cursor/rules` and `.github/instructions`" + `.`,
	},
	{
		title: "Web pages", groups: []string{"web"},
		intro: `A page stays in the conversation until you drop it. Coauthor fetches pages without a proxy and sends none of your data.`,
	},
	{
		title: "Conversations", groups: []string{"history"},
		intro: `Coauthor saves conversations in ` + "`~/.local/state/coauthor/history`, or in `$XDG_STATE_HOME/coauthor/history`" + ` if that variable is set.`,
	},
	{
		title: "Git", groups: []string{"git"},
		intro: `If you save changes while no server is running, Coauthor commits them when it next starts.`,
	},
	{
		title: "Whole projects", groups: []string{"pipeline"},
		intro: `Scripts run in a copy of the project, each only if you agree. By default, a shell runs them with your permissions,
on Linux with limits on memory, processes and disk, and on other systems with a time limit. For a container, and on Windows, set ` + "`pipeline.exec`" + `, such as
` + "`[podman, run, --rm, -v, \"{dir}:/work\", -w, /work, python:3, sh, \"{script}\"]`" + `.`,
	},
	{title: "Preview and editor", groups: []string{"preview", "client"}},
	{
		title: "Network", groups: []string{"network"},
		intro: `Coauthor uses no proxy for servers on this machine and hosts in ` + "`NO_PROXY`" + `.`,
	},
	{title: "Trust and log", groups: []string{"trust", "log"}},
}

// settingsDoc writes the documentation of every setting.
func settingsDoc() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Settings\n\n<!-- %s -->\n\n", notice)
	b.WriteString(`Coauthor reads settings from these sources; later ones override earlier ones:

1. your settings file ` + "`~/.config/coauthor/config.yaml`" + ` (or ` + "`$XDG_CONFIG_HOME/coauthor/config.yaml`" + `),
2. the workspace's settings file ` + "`.coauthor/config.yaml`" + `,
3. the editor: the section ` + "`coauthor`" + ` of its settings, or ` + "`initializationOptions.settings`" + `,
4. environment variables, such as ` + "`COAUTHOR_REPO_MAP_TOKENS` for `repoMap.tokens`" + `,
5. command-line flags.

` + shortNames() + `, also in variables (` + "`COAUTHOR_MODEL`" + `).
Changes apply to the next request, except ` + "`client` and `log.file`" + `, which need a restart of the server.
Coauthor reports and ignores invalid names and values.

## Trust

A repository can contain settings. Its settings file therefore applies only in a trusted workspace. So do editor settings, except in Neovim and Kakoune.
To trust a workspace, confirm it in your editor or add its folder to ` + "`trust.roots`" + `. Your API keys never go to hosts from such settings.
These exceptions apply:

- *Workspace*: any workspace can set it. An untrusted workspace can choose only a model from your settings, or one that your
  endpoint offers with your key. If you have not chosen a model, it can choose any model for which you have an API key.
- *Workspace adds*: any workspace can add to the list.
- *Only yours*: no workspace can set it.
- *Editor*: only the editor, a variable or a flag can set it.
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
	b.WriteString("\n## Entries of `models`\n\nFor a built-in model, list only the fields that differ. The entry `*` applies to all models and can contain only `extraBody`.\n\n")
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
    title: find what can fail here
    prompt: List what can fail in this code, and which failures are not handled.
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
