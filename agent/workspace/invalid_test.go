package workspace_test

import (
	"errors"
	"maps"
	"strings"
	"testing"

	"coauthor/agent/workspace"
)

// TestInvalidTextIsNeverEmpty: what cannot be read as text is an error for everybody who reads, and a
// writer that takes it for an empty file changes nothing.
func TestInvalidTextIsNeverEmpty(t *testing.T) {
	for what, c := range map[string]struct {
		setting, raw string
		kind         error
		code         string
	}{
		"no UTF-8":                       {"", "caf\xe9\n", workspace.ErrUndecodable, workspace.CodeUndecodable},
		"cut in a character":             {"", "caf\xc3", workspace.ErrUndecodable, workspace.CodeUndecodable},
		"a surrogate in UTF-8":           {"", "\xed\xa0\x80", workspace.ErrUndecodable, workspace.CodeUndecodable},
		"UTF-16LE of odd length":         {"", "\xff\xfea\x00b", workspace.ErrBinary, workspace.CodeBinary},
		"UTF-16BE of odd length":         {"", "\xfe\xff\x00ab", workspace.ErrBinary, workspace.CodeBinary},
		"half a surrogate, little end":   {"", "\xff\xfe\x00\xd8a\x00", workspace.ErrUndecodable, workspace.CodeUndecodable},
		"half a surrogate, big end":      {"", "\xfe\xff\xd8\x00\x00a", workspace.ErrUndecodable, workspace.CodeUndecodable},
		"no Shift JIS":                   {"shift_jis", "\x82", workspace.ErrUndecodable, workspace.CodeUndecodable},
		"no EUC":                         {"euc-jp", "\xff\xff", workspace.ErrUndecodable, workspace.CodeUndecodable},
		"half a surrogate by setting":    {"utf-16le", "\x00\xd8a\x00", workspace.ErrUndecodable, workspace.CodeUndecodable},
		"odd length by setting":          {"utf-16be", "\x00ab", workspace.ErrUndecodable, workspace.CodeUndecodable},
		"binary":                         {"", "\x7fELF\x00\x01", workspace.ErrBinary, workspace.CodeBinary},
		"binary though there is setting": {"windows-1252", "a\x00b", workspace.ErrBinary, workspace.CodeBinary},
		"a NUL at the end of the probe":  {"", strings.Repeat("x", 8<<10-1) + "\x00", workspace.ErrBinary, workspace.CodeBinary},
	} {
		w := open(t, map[string]string{"f": c.raw}, workspace.Options{Encoding: c.setting})
		ctx, door := t.Context(), w.Door()
		before := tree(t, w.Root())
		snap := w.Snapshot()
		for range 2 { // the second answer is the remembered one
			if text, err := snap.Read("f"); text != "" || !errors.Is(err, c.kind) {
				t.Errorf("%s: read %q, %v", what, text, err)
			}
			if doc, err := snap.Document("f"); doc != nil || !errors.Is(err, c.kind) {
				t.Errorf("%s: document %+v, %v", what, doc, err)
			}
		}
		if text, err := door.DiskText(ctx, "f"); text != "" || !errors.Is(err, c.kind) {
			t.Errorf("%s: on disk %q, %v", what, text, err)
		}
		if !snap.Exists("f") || !door.OnDisk("f") {
			t.Errorf("%s: the file counts as missing", what)
		}
		for _, op := range []workspace.Operation{workspace.OpSend, workspace.OpEdit} {
			if d := door.Check(ctx, "f", op); d.Verdict != workspace.Refuse || d.Code != c.code {
				t.Errorf("%s: %s: %+v", what, op, d)
			}
		}
		for how, err := range map[string]error{
			"over it as empty": door.With(workspace.Agreed()).WriteOver(ctx, "f", "", "x\n", ""), "over it": door.With(workspace.Agreed()).Write(ctx, "f", "x\n", ""),
			"as new": door.With(workspace.Agreed()).WriteNew(ctx, "f", "x\n", ""), "removal as empty": door.With(workspace.Agreed()).RemoveIf(ctx, "f", ""),
		} {
			if err == nil {
				t.Errorf("%s: %s went through", what, how)
			}
		}
		if after := tree(t, w.Root()); !maps.Equal(before, after) {
			t.Errorf("%s: now %q", what, after)
		}
	}
}

// TestTextThatCannotBeWrittenChangesNothing: not the file, no new one, no folder for it.
func TestTextThatCannotBeWrittenChangesNothing(t *testing.T) {
	for what, c := range map[string]struct {
		enc  workspace.Encoding
		text string
		kind error
	}{
		"no such character":      {"windows-1252", "a日b", workspace.ErrUndecodable},
		"no such character, two": {"iso-8859-2", "añb", workspace.ErrUndecodable},
		"not valid":              {"windows-1252", "a\xe9", workspace.ErrUndecodable},
		"not valid for UTF-16":   {"utf-16le", "a\xe9", workspace.ErrUndecodable},
		"no such encoding":       {"klingon", "a", nil},
	} {
		w := open(t, map[string]string{"f": "old\n"}, workspace.Options{})
		before := tree(t, w.Root())
		for path, err := range map[string]error{
			"f": w.Door().With(workspace.Agreed()).Write(t.Context(), "f", c.text, c.enc), "over": w.Door().With(workspace.Agreed()).WriteOver(t.Context(), "f", "old\n", c.text, c.enc),
			"new": w.Door().With(workspace.Agreed()).Write(t.Context(), "new", c.text, c.enc), "deep": w.Door().With(workspace.Agreed()).WriteNew(t.Context(), "deep/new", c.text, c.enc),
		} {
			if err == nil || c.kind != nil && !errors.Is(err, c.kind) {
				t.Errorf("%s, %s: %v", what, path, err)
			}
		}
		if after := tree(t, w.Root()); !maps.Equal(before, after) {
			t.Errorf("%s: now %q", what, after)
		}
		if w.Door().OnDisk("deep") {
			t.Errorf("%s: a folder was made", what)
		}
	}
}

// TestTextsComeBackAsTheirBytes: whatever a file holds, either it cannot be read or what was read writes the
// same bytes again.
func TestTextsComeBackAsTheirBytes(t *testing.T) {
	pieces := []string{"", "a", "é", "\r\n", "\xe9", "\x00", "\xff\xfe", "\xfe\xff", "\ufeff", "\xd8\x00", "\x82\xa0", "a\x00", "\x81"}
	for _, setting := range []string{"", "windows-1252", "shift_jis", "utf-16le", "utf-16be", "UTF-8"} {
		w := open(t, nil, workspace.Options{Encoding: setting})
		for _, one := range pieces {
			for _, two := range pieces {
				for _, three := range []string{"", "é\n"} {
					raw := one + two + three
					put(t, w.Root(), "f", raw)
					doc, err := w.Snapshot().Document("f")
					if err != nil {
						continue
					}
					if doc.Text == "" && raw != "" {
						t.Errorf("%s: %q reads as empty", setting, raw)
					}
					if err := w.Door().With(workspace.Agreed()).Write(t.Context(), "f", doc.Text, doc.Encoding); err != nil {
						t.Errorf("%s: %q: %v", setting, raw, err)
					}
					if back := tree(t, w.Root())["f"]; back != raw {
						t.Errorf("%s: %q came back as %q by %q (%s)", setting, raw, back, doc.Text, doc.Encoding)
					}
				}
			}
		}
	}
}
