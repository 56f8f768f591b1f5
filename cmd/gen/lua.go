package main

import (
	"bytes"
	"fmt"
	"strings"

	"coauthor/agent/pipeline"
	"coauthor/agent/settings"
)

// neovimLists writes the names that the Neovim module completes and documents.
func neovimLists() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "-- %s\nreturn {\n  commands = {\n", notice)
	for _, a := range pipeline.Actions() {
		var args []string
		for _, arg := range a.Args {
			args = append(args, lua(arg.Name))
		}
		fmt.Fprintf(&b, "    { id = %s, command = %s, title = %s, args = { %s } },\n",
			lua(a.ID), lua(a.Command()), lua(a.Title), strings.Join(args, ", "))
	}
	b.WriteString("  },\n  settings = {\n")
	for _, r := range settings.Rows() {
		fmt.Fprintf(&b, "    { name = %s, type = %s", lua(r.Name), lua(string(r.Type)))
		if v := luaDefault(r); v != "" {
			fmt.Fprintf(&b, ", default = %s", v)
		}
		if len(r.Enum) > 0 {
			var values []string
			for _, e := range r.Enum {
				values = append(values, lua(e))
			}
			fmt.Fprintf(&b, ", enum = { %s }", strings.Join(values, ", "))
		}
		b.WriteString(" },\n")
	}
	b.WriteString("  },\n}\n")
	return b.Bytes()
}

func luaDefault(r settings.Row) string {
	switch v := r.Default.(type) {
	case string:
		if v != "" {
			return lua(v)
		}
	case bool, int:
		return fmt.Sprint(v)
	}
	if d := defaultOf(r); d != "" && r.Type == settings.Duration {
		return lua(strings.Trim(d, "`"))
	}
	return ""
}

// lua quotes a string.
func lua(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\n", `\n`).Replace(s) + "'"
}
