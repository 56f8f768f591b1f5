package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"coauthor/agent/command"
	"coauthor/agent/model"
	"coauthor/agent/pipeline"
	"coauthor/agent/settings"
)

// vscodeManifest is the manifest of the extension. Most of it is written by hand; the server's commands and settings come
// from the tables.
const vscodeManifest = "editors/vscode/package.json"

// Commands and settings with these beginnings are the extension's own.
const (
	vscodeOwnCommands = command.CommandPrefix + "client."
	vscodeServer      = "coauthor.server."
	vscodeTrace       = "coauthor.trace."
)

// vscodeFiles are those of the extension below root; none where there is no manifest to write into.
func vscodeFiles(root string) ([]file, error) {
	old, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(vscodeManifest)))
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	made, err := manifestWith(old)
	if err != nil {
		return nil, fmt.Errorf("write the tables into %s: %w", vscodeManifest, err)
	}
	return []file{{vscodeManifest, made}}, nil
}

// manifestWith puts the commands and the settings of the tables into a manifest, in the place of those that it has.
func manifestWith(old []byte) ([]byte, error) {
	var manifest, contributes, configuration object
	if err := json.Unmarshal(old, &manifest); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(manifest.get("contributes"), &contributes); err != nil {
		return nil, fmt.Errorf("read contributes: %w", err)
	}
	commands, err := vscodeCommands(contributes.get("commands"))
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(contributes.get("configuration"), &configuration); err != nil {
		return nil, fmt.Errorf("read contributes.configuration: %w", err)
	}
	properties, err := vscodeProperties(configuration.get("properties"))
	if err != nil {
		return nil, err
	}
	configuration.set("properties", properties)
	contributes.set("commands", commands)
	contributes.set("configuration", configuration)
	manifest.set("contributes", contributes)
	return indented(manifest)
}

// vscodeCommand is one entry of contributes.commands.
type vscodeCommand struct {
	Command  string          `json:"command"`
	Title    string          `json:"title"`
	Category string          `json:"category"`
	Icon     json.RawMessage `json:"icon,omitempty"`
}

// vscodeCommands are those of the table, and behind them the extension's own.
func vscodeCommands(old json.RawMessage) ([]vscodeCommand, error) {
	var had, list []vscodeCommand
	if err := json.Unmarshal(old, &had); err != nil {
		return nil, fmt.Errorf("read contributes.commands: %w", err)
	}
	for _, a := range pipeline.Actions() {
		list = append(list, vscodeCommand{Command: a.Command(), Title: a.Title, Category: "Coauthor"})
	}
	for _, c := range had {
		if strings.HasPrefix(c.Command, vscodeOwnCommands) {
			list = append(list, c)
		}
	}
	return list, nil
}

// vscodeProperties are the extension's own settings, and behind them those of the table.
func vscodeProperties(old json.RawMessage) (object, error) {
	var had, list object
	if err := json.Unmarshal(old, &had); err != nil {
		return nil, fmt.Errorf("read contributes.configuration.properties: %w", err)
	}
	for _, m := range had {
		if strings.HasPrefix(m.name, vscodeServer) || strings.HasPrefix(m.name, vscodeTrace) {
			list = append(list, m)
		}
	}
	own := len(list)
	for i, r := range settings.Rows() {
		p := vscodeType(r)
		if d := vscodeDefault(r); d != nil {
			p.set("default", d)
		}
		p.set("scope", vscodeScope(r))
		p.set("order", own+i+1)
		p.set("markdownDescription", r.Doc)
		list.set("coauthor."+r.Name, p)
	}
	return list, nil
}

// vscodeScope says where a setting may be written. What no repository may choose is the user's machine alone: VS Code then
// passes it over in .vscode/settings.json.
func vscodeScope(r settings.Row) string {
	switch r.Scope {
	case settings.Workspace, settings.WorkspaceAdds:
		return "window"
	case settings.User, settings.Client:
		return "machine"
	}
	panic("a scope that is new: " + string(r.Scope))
}

// vscodeType is the JSON schema of the values of a setting.
func vscodeType(r settings.Row) object {
	var p object
	text := map[string]string{"type": "string"}
	switch r.Type {
	case settings.String:
		p.set("type", "string")
	case settings.Enum:
		p.set("type", "string")
		p.set("enum", r.Enum)
		if r.EnumDocs != nil {
			p.set("markdownEnumDescriptions", r.EnumDocs)
		}
	case settings.Bool:
		p.set("type", "boolean")
	case settings.Int:
		p.set("type", "integer")
		p.limits(r)
	case settings.Number:
		p.set("type", []string{"number", "null"})
		p.limits(r)
	case settings.Tokens:
		p.set("type", []string{"integer", "string"})
		p.set("pattern", "^[0-9]+[kKmM]?$")
	case settings.Duration:
		p.set("type", []string{"string", "number"})
	case settings.List:
		p.set("type", []string{"array", "string"})
		p.set("items", text)
	case settings.Switches:
		p.set("type", "object")
		p.set("additionalProperties", map[string]string{"type": "boolean"})
	case settings.Models:
		p.set("type", "object")
		p.set("additionalProperties", map[string]any{"type": "object", "properties": modelFields()})
	case settings.Commands, settings.Actions:
		p.set("type", "array")
		p.set("items", map[string]string{"type": "object"})
	}
	return p
}

func (o *object) limits(r settings.Row) {
	if r.Min != 0 || r.Max != 0 {
		o.set("minimum", r.Min)
		o.set("maximum", r.Max)
	}
}

// modelFields are the fields of an entry of models, for completion.
func modelFields() object {
	var fields object
	for _, f := range settings.ModelFieldDocs() {
		fields.set(f.Name, map[string]string{"markdownDescription": f.Doc})
	}
	return fields
}

// vscodeDefault is what VS Code shows as the default; nil for none. It is not sent: the extension tells the server
// what somebody has set.
func vscodeDefault(r settings.Row) any {
	switch v := r.Default.(type) {
	case string, bool, int:
		return v
	}
	if d := defaultOf(r); d != "" && r.Type == settings.Duration {
		return strings.Trim(d, "`")
	}
	return nil
}

// vscodeLists writes what the extension's code knows of the tables.
func vscodeLists() []byte {
	c, err := model.Load(nil)
	if err != nil {
		panic(err) // the table is part of the program, and its own test reads it
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "// %s\n", notice)
	b.WriteString(`
/** A command of the server. */
export interface CommandRow {
  id: string;
  command: string;
  title: string;
  /** Its word behind a slash; '' for none. */
  word: string;
  fields: readonly string[];
  /** The field that a user's own words are. */
  bare?: { name: string; doc: string; list: boolean; values: readonly string[] };
}

/** Who serves models. */
export interface ProviderRow {
  name: string;
  base: string;
  /** Name of the key; '' needs none. */
  keyName: string;
}

export const commandRows: readonly CommandRow[] = [
`)
	for _, a := range pipeline.Actions() {
		fmt.Fprintf(&b, "  %s,\n", commandRow(a))
	}
	b.WriteString("];\n\nexport const settingNames: readonly string[] = [\n")
	for _, r := range settings.Rows() {
		fmt.Fprintf(&b, "  %s,\n", quoted(r.Name))
	}
	b.WriteString("];\n\nexport const providers: readonly ProviderRow[] = [\n")
	for _, p := range c.Providers() {
		fmt.Fprintf(&b, "  { name: %s, base: %s, keyName: %s },\n", quoted(p.Provider), quoted(p.APIBase), quoted(p.APIKeyEnv))
	}
	b.WriteString("];\n")
	return b.Bytes()
}

func commandRow(a command.Action) string {
	var fields []string
	bare := ""
	for _, arg := range a.Args {
		fields = append(fields, quoted(arg.Name))
		if arg.Bare {
			var values []string
			for _, v := range arg.Values {
				values = append(values, quoted(v))
			}
			bare = fmt.Sprintf(", bare: { name: %s, doc: %s, list: %v, values: [%s] }", quoted(arg.Name), quoted(arg.Doc), strings.HasSuffix(arg.Type, "[]"), strings.Join(values, ", "))
		}
	}
	return fmt.Sprintf("{ id: %s, command: %s, title: %s, word: %s, fields: [%s]%s }",
		quoted(a.ID), quoted(a.Command()), quoted(a.Title), quoted(a.SlashWord()), strings.Join(fields, ", "), bare)
}

// quoted is a string as JSON and TypeScript have it.
func quoted(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string can always be written, into memory
	return strings.TrimSpace(b.String())
}

// object is a JSON object whose members keep their order.
type object []member

type member struct {
	name  string
	value any
}

// get returns the value of a member that was read; null where there is none.
func (o object) get(name string) json.RawMessage {
	for _, m := range o {
		if raw, ok := m.value.(json.RawMessage); ok && m.name == name {
			return raw
		}
	}
	return json.RawMessage("null")
}

// set replaces a member where it stands, or adds it at the end.
func (o *object) set(name string, value any) {
	if at := slices.IndexFunc(*o, func(m member) bool { return m.name == name }); at >= 0 {
		(*o)[at].value = value
		return
	}
	*o = append(*o, member{name, value})
}

// UnmarshalJSON implements json.Unmarshaler.
func (o *object) UnmarshalJSON(raw []byte) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return fmt.Errorf("no object: %.40s", raw)
	}
	*o = nil
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return err
		}
		*o = append(*o, member{name.(string), value}) // what stands there is a name, or Token had failed
	}
	return nil
}

// MarshalJSON implements json.Marshaler.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(quoted(m.name) + ":")
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if err := e.Encode(m.value); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// indented writes a value as a file.
func indented(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(v)
	return b.Bytes(), err
}
