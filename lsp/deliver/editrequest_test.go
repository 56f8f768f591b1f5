package deliver

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"coauthor/agent/proposal"
	"coauthor/edits"
	"coauthor/lsp/client"
	"coauthor/lsp/document"
	"coauthor/lsp/wire"
)

// clientSteps makes steps of letters: u update, c create, r rename, d delete; in capitals of an unsaved document.
func clientSteps(letters string) []clientStep {
	ops := map[string]edits.Op{"u": edits.OpUpdate, "c": edits.OpCreate, "r": edits.OpRename, "d": edits.OpDelete}
	var list []clientStep
	for i, l := range strings.Split(letters, "") {
		if l == "" {
			continue
		}
		c := edits.Change{Path: fmt.Sprintf("f%d", i), Op: ops[strings.ToLower(l)], Before: "a\n", After: "b\n"}
		if c.Op == edits.OpRename {
			c.To = c.Path + "to"
		}
		if c.Op == edits.OpCreate {
			c.Before = ""
		}
		if c.Op == edits.OpDelete {
			c.After = ""
		}
		one := clientStep{step: proposal.Step{Change: c, Hunks: edits.Diff(c.Before, c.After)}, index: i, uri: "file:///" + c.Path, to: "file:///" + c.To}
		if l != strings.ToLower(l) {
			v := int32(1)
			one.version, one.buffered = &v, true
		}
		list = append(list, one)
	}
	return list
}

// A plan goes in one request where the client takes all of it back when a part fails, or where it is nothing but text;
// else each kind of operation goes by itself, in order, so that a failure leaves a state that can be told.
func TestRequestsOfAPlan(t *testing.T) {
	create := client.Quirks{}
	byEdit := client.Quirks{NewFileByEdit: true}
	for _, c := range []struct {
		failure string
		quirks  client.Quirks
		native  bool
		plan    string
		want    string
	}{
		{"abort", byEdit, false, "", ""},
		{"abort", byEdit, false, "uuu", "uuu"},
		{"abort", byEdit, false, "ucu", "ucu"},
		{"abort", create, false, "ucu", "u c u"},
		{"abort", create, false, "uucddr", "uu c dd r"},
		{"abort", byEdit, false, "ucd", "u c d"},
		{"abort", byEdit, false, "uD", "uD"},
		{"abort", byEdit, false, "ur", "u r"},
		{"textOnlyTransactional", byEdit, false, "ud", "u d"},
		{"textOnlyTransactional", byEdit, false, "uu", "uu"},
		{"transactional", create, false, "ucdr", "ucdr"},
		{"undo", create, false, "ucdr", "ucdr"},
		{"abort", create, true, "ucdr", "ucdr"},
		{"abort", client.Quirks{SplitFiles: true}, false, "uuc", "u u c"},
		{"transactional", client.Quirks{SplitFiles: true}, false, "uu", "u u"},
		{"abort", client.Quirks{SplitFiles: true}, true, "uu", "uu"},
	} {
		p := &requestBuilder{caps: &client.Capabilities{DocumentChanges: true, CreateFile: true, RenameFile: true, DeleteFile: true, FailureHandling: c.failure},
			quirks: &c.quirks, encoding: document.UTF16, native: c.native}
		list := clientSteps(c.plan)
		var got []string
		for _, group := range p.groups(list) {
			word := ""
			for _, one := range group {
				word += c.plan[one.index : one.index+1]
			}
			got = append(got, word)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s, %+v, native %v: %s goes as %q, want %q", c.failure, c.quirks, c.native, c.plan, got, c.want)
		}
		if sent := p.build(list); len(sent) != len(strings.Fields(c.want)) {
			t.Errorf("%s: %d requests, want %q", c.plan, len(sent), c.want)
		}
	}
}

// What a client cannot do is known of each operation by itself, and decides who does it.
func TestWhoDoesAnOperation(t *testing.T) {
	can := client.Capabilities{DocumentChanges: true, CreateFile: true, RenameFile: true, DeleteFile: true}
	for _, c := range []struct {
		name   string
		change func(*client.Capabilities, *client.Quirks)
		server string // operations that the server does
		kinds  string // operations on the wire for "ucrd"
	}{
		{"everything", func(*client.Capabilities, *client.Quirks) {}, "R", "create text text text rename delete"},
		{"new files by an edit", func(_ *client.Capabilities, q *client.Quirks) { q.NewFileByEdit = true }, "R", "text text text rename delete"},
		{"a new file by itself", func(_ *client.Capabilities, q *client.Quirks) { q.CreateAlone = true }, "R", "text text text rename delete"},
		{"no create", func(c *client.Capabilities, _ *client.Quirks) { c.CreateFile = false }, "R", "text text text rename delete"},
		{"no rename", func(c *client.Capabilities, _ *client.Quirks) { c.RenameFile = false }, "r R", "create text text text delete"},
		{"no delete", func(c *client.Capabilities, _ *client.Quirks) { c.DeleteFile = false }, "d R", "create text text text rename"},
		{"no operations", func(_ *client.Capabilities, q *client.Quirks) { q.NoResourceOperations = true }, "d r R", "text text text"},
	} {
		caps, q := can, client.Quirks{}
		c.change(&caps, &q)
		p := &requestBuilder{caps: &caps, quirks: &q, encoding: document.UTF16}
		var server []string
		for _, letter := range []string{"u", "c", "d", "r", "U", "D", "R"} {
			if p.byServer(clientSteps(letter)[0]) {
				server = append(server, letter)
			}
		}
		slices.Sort(server)
		want := strings.Fields(c.server)
		slices.Sort(want)
		if !slices.Equal(server, want) {
			t.Errorf("%s: the server does %q, want %q", c.name, server, want)
		}
		var kinds []string
		for _, s := range p.build(clientSteps("ucrd")) {
			for _, k := range p.documentChanges(s.steps) {
				raw, err := wire.Encode(k)
				if err != nil {
					t.Fatal(err)
				}
				kind := "text"
				for _, op := range []string{"create", "rename", "delete"} {
					if strings.Contains(string(raw), `"kind":"`+op+`"`) {
						kind = op
					}
				}
				kinds = append(kinds, kind)
			}
		}
		slices.Sort(kinds)
		wantKinds := strings.Fields(c.kinds)
		slices.Sort(wantKinds)
		if !slices.Equal(kinds, wantKinds) {
			t.Errorf("%s: sent are %q, want %q", c.name, kinds, wantKinds)
		}
	}
}
