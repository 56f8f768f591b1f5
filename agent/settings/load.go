package settings

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"coauthor/agent/model"
	"coauthor/agent/yamltext"
)

// MaxFileBytes is how large a file of settings may be.
const MaxFileBytes = yamltext.MaxBytes

// Warning is something wrong in the settings that did not stop the rest from being used.
type Warning struct {
	Source string // the file's path, "editor settings", "COAUTHOR_MODEL", "--model"
	Key    string
	Line   int // 1-based; 0 when unknown
	Column int
	Text   string // a sentence that says what is wrong and what to do
}

// String returns the warning as one line, with its place.
func (w Warning) String() string {
	if w.Line > 0 {
		return fmt.Sprintf("%s:%d:%d: %s", w.Source, w.Line, w.Column, w.Text)
	}
	return w.Source + ": " + w.Text
}

// LoadOptions are the layers, lowest first.
type LoadOptions struct {
	Env            func(name string) string // nil: no environment
	UserPath       string                   // for messages
	UserFile       []byte                   // contents of the user file; nil when there is none
	UserError      error                    // why the user file cannot be read; nil when it was, or there is none
	WorkspacePath  string
	WorkspaceFile  []byte
	WorkspaceError error
	Trusted        bool              // the workspace is trusted
	Client         any               // JSON, decoded or not: the section "coauthor" of the editor's settings
	ClientOwn      bool              // no repository can write Client: it is the user's word as their file is
	Flags          map[string]string // setting's name -> value
	// Catalog knows the models, with the user's own over them; nil reads the embedded table. It is
	// asked only when a layer that is not the user's names a model.
	Catalog func(map[string]model.UserModel) (*model.Catalog, error)
	// Texts keeps the files as they were parsed, so that one which did not change is not parsed again; nil keeps nothing.
	Texts *Texts
}

// Load merges the layers: defaults < user file < workspace file < client < environment < flags.
// What is wrong is left out and told as a warning; the rest takes effect. It reads nothing but its
// options and takes well under a millisecond, so callers load again whenever a layer changed.
func Load(o LoadOptions) (Settings, []Warning) {
	l := &loader{o: o, s: Defaults(), rows: table().named, short: table().short}
	l.s.Trusted = o.Trusted
	l.file(orElse(o.UserPath, "user settings"), o.UserFile, o.UserError, fromUser)
	origin := fromWorkspace
	if o.Trusted {
		origin = fromTrusted
	}
	l.file(orElse(o.WorkspacePath, "workspace settings"), o.WorkspaceFile, o.WorkspaceError, origin)
	switch {
	case o.ClientOwn:
		origin = fromEditor
	case o.Trusted:
		origin = fromTrustedClient
	default:
		origin = fromClient
	}
	l.layer++
	l.client(o.Client, origin)
	l.layer++
	l.environment(o.Env)
	l.layer++
	for _, name := range slices.Sorted(maps.Keys(o.Flags)) {
		source := "setting " + name
		if r, ok := l.row(name); ok && r.Flag != "" {
			source = "--" + r.Flag
		}
		good := l.put(entry{source: source, key: name, value: o.Flags[name]}, fromEditor)
		if name == "apiBase" {
			l.s.Bound.ByFlag = good
		}
		l.s.Said.Effort = l.s.Said.Effort || good && name == "model.reasoningEffort"
		l.s.Said.Thinking = l.s.Said.Thinking || good && name == "model.thinkingTokens"
	}
	l.forEvery()
	l.alias()
	l.tellRest()
	return l.s, l.warnings
}

// alias lets an entry of models that says nothing but which model it stands for have what another entry says of that.
func (l *loader) alias() {
	var all map[string]model.UserModel
	for name, u := range l.s.Models {
		target, other := l.s.Models[u.Model]
		if !other || u.Model == name || !reflect.DeepEqual(u, model.UserModel{Model: u.Model}) {
			continue
		}
		if all == nil {
			all = maps.Clone(l.s.Models)
		}
		target.Model = orElse(target.Model, u.Model)
		all[name] = target
	}
	if all != nil {
		l.s.Models = all
	}
}

// Defaults returns the settings of someone who set nothing.
func Defaults() Settings {
	var s Settings
	for _, r := range table().list {
		switch p := r.field(&s).(type) {
		case *string:
			*p, _ = r.Default.(string)
		case *bool:
			*p, _ = r.Default.(bool)
		case *int:
			*p, _ = r.Default.(int)
		default:
			// Durations; what is left is unset by default, which a test sees to.
			setDuration(p, r.Default)
		}
	}
	return s
}

// origin is the kind of layer a value comes from.
type origin int

const (
	fromUser origin = iota
	fromWorkspace
	fromTrusted
	fromClient        // an editor whose settings a repository can write, too
	fromTrustedClient // the same in a trusted workspace
	fromEditor        // an editor whose settings are the user's; also the environment and flags
)

// users says whether a layer is the user's own word.
func (o origin) users() bool { return o == fromUser || o == fromEditor }

// trusted says whether what only the user may set is taken from the layer.
func (o origin) trusted() bool { return o != fromWorkspace && o != fromClient }

// inFile says whether the layer is a file of the workspace.
func (o origin) inFile() bool { return o == fromWorkspace || o == fromTrusted }

// entry is one value on its way in.
type entry struct {
	source       string
	key          string
	value        any
	line, column int
}

type loader struct {
	o        LoadOptions
	s        Settings
	models   *allowance     // nil until a layer that is not the user's names a model
	rows     map[string]Row // by their names
	short    map[string]Row // by the name of their group, which alone stands for them
	warnings []Warning
	told     map[string]int // how many warnings a source has had, with those that are only counted
	layer    int            // which of the layers is read, lowest first
	unread   int            // the layer that Settings.Unread is of
}

// mostWarnings is how many warnings a layer has in full: who makes more mistakes than that has written no settings.
const mostWarnings = 10

func (l *loader) warn(e entry, format string, args ...any) {
	l.warnAs(e, func() string { return fmt.Sprintf(format, args...) })
}

// warnAs is warn with a text that takes work, and is made only if it is told.
func (l *loader) warnAs(e entry, text func() string) {
	if l.told == nil {
		l.told = map[string]int{}
	}
	switch n := l.told[e.source]; {
	case n < mostWarnings:
		l.warnings = append(l.warnings, Warning{Source: e.source, Key: e.key, Line: e.line, Column: e.column, Text: text()})
	case n == mostWarnings:
		l.warnings = append(l.warnings, Warning{Source: e.source}) // tellRest says how many more there are
	}
	l.told[e.source]++
}

// tellRest says of each layer how many warnings were left out.
func (l *loader) tellRest() {
	for i, w := range l.warnings {
		if w.Text == "" {
			l.warnings[i].Text = fmt.Sprintf("%d more mistakes are not shown; fix the ones above first", l.told[w.Source]-mostWarnings)
		}
	}
}

// put checks one value and sets it. It reports whether the value was taken.
func (l *loader) put(e entry, from origin) bool {
	taken := l.take(e, from)
	if r, ok := l.row(e.key); ok && taken && r.Name == "apiBase" && l.s.APIBase != "" && l.layer > l.unread {
		l.s.Unread = "" // whatever a lower layer wanted to say, this one says where requests go
	}
	return taken
}

func (l *loader) take(e entry, from origin) bool {
	r, ok := l.row(e.key)
	if !ok {
		l.unknown(e, from)
		return false
	}
	switch r.Scope {
	case User:
		if !from.trusted() {
			l.warn(e, "%s", l.refusal(e.key, from))
			return false
		}
	case Client:
		if from.inFile() {
			l.warn(e, "a workspace cannot set %s; set it in the editor's settings", e.key)
			return false
		}
	case Workspace, WorkspaceAdds:
	}
	// Trust itself is never the workspace's to give, nor is what runs, whom a connection believes, and what is written into it.
	if !from.users() && r.Own {
		l.warn(e, "a workspace cannot set %s; set it in %s", e.key, l.userFile())
		return false
	}
	if name, ok := e.value.(string); ok && !from.trusted() && name != "" && namesModel(r.Name) && !l.allows(name) {
		l.warn(e, "%s", l.refusal(e.key+" "+show(name), from))
		return false
	}
	if r.Name == "models" && !from.users() {
		e.value = l.withoutCommands(e)
	}
	if r.Name == "actions" {
		e.value = l.dropInvalid(e)
	}
	adds := r.Scope == WorkspaceAdds && !from.users()
	if err := r.set(&l.s, e.value, adds); err != nil {
		l.warn(e, "%s %v; it is ignored", e.key, err)
		if leads(r.Name) {
			l.cannotRead(from)
		}
		return false
	}
	l.bind(r.Name, from)
	return true
}

// withoutCommands takes out of a workspace's models what would run a program.
func (l *loader) withoutCommands(e entry) any {
	models, ok := e.value.(map[string]any)
	if !ok {
		return e.value
	}
	out := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(models)) {
		fields, ok := models[name].(map[string]any)
		if _, runs := fields["apiKeyCommand"]; ok && runs {
			fields = maps.Clone(fields)
			delete(fields, "apiKeyCommand")
			l.warn(e, "a workspace cannot set models.%s.apiKeyCommand; set it in %s", name, l.userFile())
			out[name] = fields
			continue
		}
		out[name] = models[name]
	}
	return out
}

// refusal says why a value of a layer that is not trusted is left out, and where to write it.
func (l *loader) refusal(what string, from origin) string {
	if from == fromClient {
		return what + " in this editor's settings is ignored, because a repository can change these settings; set it in " + l.userFile() + ", or trust this workspace"
	}
	return what + " is ignored, because this workspace is not trusted; set it in " + l.userFile() + ", or trust this workspace"
}

// userFile names the user's file of settings for a message.
func (l *loader) userFile() string { return orElse(l.o.UserPath, "your user settings") }

// file takes what a file of settings says. err is why it could not be read.
func (l *loader) file(path string, data []byte, err error, from origin) {
	l.layer++
	if err != nil {
		l.warn(entry{source: path}, "cannot read this file: %v; the file is ignored", err)
		l.cannotRead(from)
		return
	}
	for _, s := range l.o.Texts.of(path, data) {
		if s.wrong == "" {
			l.put(s.entry, from)
			continue
		}
		l.warn(s.entry, "%s", s.wrong)
		if r, known := l.row(s.key); s.key == "" || known && leads(r.Name) {
			l.cannotRead(from)
		}
	}
}

func isMap(n ast.Node) bool {
	switch n.(type) {
	case *ast.MappingNode, *ast.MappingValueNode, *ast.NullNode:
		return true
	}
	return false
}

// row returns the setting of a name, or of that of its group where this alone stands for it.
func (l *loader) row(key string) (Row, bool) {
	r, ok := l.rows[key]
	if !ok {
		r, ok = l.short[key]
	}
	return r, ok
}

// isShort says whether the name of a group alone stands for one of its settings.
func (l *loader) isShort(group string) bool {
	_, ok := l.short[group]
	return ok
}

func (l *loader) isGroup(key string) bool { return l.example(key) != "" }

// example returns a setting of a group; "" when there is no such group.
func (l *loader) example(group string) string { return table().examples[group] }

// client reads the editor's settings: nested or with dotted names, with or without the section's name
// around them.
func (l *loader) client(v any, from origin) {
	const source = "editor settings"
	switch raw := v.(type) {
	case json.RawMessage:
		v = decode(raw)
	case []byte:
		v = decode(raw)
	}
	if v == nil {
		return
	}
	m, ok := v.(map[string]any)
	if !ok {
		l.warn(entry{source: source}, "the section coauthor must be an object, not %s; it is ignored", show(v))
		l.cannotRead(from)
		return
	}
	if inner, ok := m["coauthor"].(map[string]any); ok && len(m) == 1 {
		m = inner
	}
	l.object(source, "", m, from)
}

func (l *loader) object(source, prefix string, m map[string]any, from origin) {
	for _, name := range slices.Sorted(maps.Keys(m)) {
		e := entry{source: source, key: strings.TrimPrefix(prefix+name, "coauthor."), value: m[name]}
		inner, isMap := e.value.(map[string]any)
		_, row := l.rows[e.key]
		switch {
		case e.value == nil: // editors send null for what is not set
		case !row && l.isGroup(e.key) && isMap:
			l.object(source, e.key+".", inner, from)
		case !row && l.isGroup(e.key) && !l.isShort(e.key):
			l.warn(e, "%s is a group of settings, such as %s; it is ignored", e.key, l.example(e.key))
		default:
			l.put(e, from)
		}
	}
}

func decode(raw []byte) any {
	if len(raw) == 0 {
		return nil
	}
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return "invalid JSON"
	}
	return v
}

// environment reads our own variables, which stand above every file, and the two that name an endpoint
// for OpenAI's models, which stand below.
func (l *loader) environment(env func(string) string) {
	if env == nil {
		return
	}
	l.s.EnvBase = orElse(env("OPENAI_BASE_URL"), env("OPENAI_API_BASE"))
	for _, name := range model.BaseVariables() {
		if v := env(name); v != "" {
			l.s.EnvBases = layered(l.s.EnvBases, map[string]string{name: v})
		}
	}
	for _, r := range table().list {
		if !r.Type.OneLine() {
			continue
		}
		if v := env(r.Env); v != "" {
			l.put(entry{source: r.Env, key: r.Short(), value: v}, fromEditor)
		}
	}
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
