package verify_test

import (
	"slices"
	"testing"

	"coauthor/agent/verify"
	"coauthor/edits"
)

// A name that the request asks to make has to be somewhere in the result.
func TestNamesOfTheRequest(t *testing.T) {
	for request, want := range map[string]string{
		"Remember the price in a dict, and add a method forget() that empties it.":               "forget",
		"Please add once(event, handler): like on, but for the first emit.":                      "once",
		"Rename the method count of Warehouse to on_hand, with all calls.":                       "on_hand",
		"Renaming isFree to `isAvailable` would help":                                            "isAvailable",
		"Add an option -c / --chars that prints characters.":                                     "--chars",
		"Add a function int str_count(const char *s, char c).":                                   "str_count",
		"Implement `Store.Flush`, and write a helper __enter__.":                                 "Flush and __enter__",
		"The lines of this request are long enough to be wrapped, so define\ndrop_all() for it.": "drop_all",
		"Write a test `test_qty` and add a class `LineItem`.":                                    "test_qty and LineItem",

		"Add a method total() to it.":                  "", // is in the file
		"Add a test of the new file, a_test.py.":       "",
		"The test test_qty fails. Fix it.":             "",
		"Add a call to flush() behind it.":             "",
		"Add support for web_sockets, as in peek().":   "",
		"Do not use getElement() here.":                "",
		"Add a docstring. It mentions show_all() too.": "",
		"Rename total() back.":                         "",
		"Add x() to it":                                "", // too short to mean much
		"Add the option --all to it":                   "", // is in the file that was only shown
		"add old_name() again":                         "", // was there before
		"Füge eine Methode vergiss() hinzu.":           "",
		"":                                             "",
	} {
		before := project{"a.py": "def total():\n    pass\n\n\ndef old_name():\n    pass\n", "b.py": "x = '--all'\n"}
		after := project{"a.py": "def total():\n    return 1\n", "b.py": before["b.py"]}
		in := verify.Input{Tree: after, Base: before, Shown: []string{"a.py", "b.py", "gone.py"}, Request: request,
			Changes:  []edits.Change{{Path: "a.py", Op: edits.OpUpdate, Before: before["a.py"], After: after["a.py"]}},
			Settings: verify.Settings{Level: verify.Syntax}}
		list, err := verify.Named().Run(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if len(list) > 0 {
			got = list[0].Text
		}
		is := "is"
		if slices.Contains([]string{"Flush and __enter__", "test_qty and LineItem"}, want) {
			is = "are"
		}
		text := ""
		if want != "" {
			text = "The request asks for " + want + ", which " + is + " nowhere in the files."
		}
		if got != text || len(list) > 1 || want != "" && !list[0].Once {
			t.Errorf("%q: %q, want %q", request, got, text)
		}
		in.Partly = true
		if list, err := verify.Named().Run(t.Context(), in); err != nil || len(list) > 0 {
			t.Errorf("%q, a part of it: %v, %v", request, list, err)
		}
		in.Partly, in.Changes = false, nil
		if list, err := verify.Named().Run(t.Context(), in); err != nil || len(list) > 0 {
			t.Errorf("%q, nothing changed: %v, %v", request, list, err)
		}
	}
}

// FuzzNamed: whatever is said, the check ends and names what is said.
func FuzzNamed(f *testing.F) {
	f.Add("Add a method forget() that empties it.", "x")
	f.Add("rename `a.b_c` to --new-name or `ClassName`", "a.b_c")
	f.Fuzz(func(t *testing.T, request, after string) {
		in := verify.Input{Tree: project{"a": after}, Request: request, Changes: []edits.Change{{Path: "a", Op: edits.OpCreate, After: after}}}
		list, err := verify.Named().Run(t.Context(), in)
		if err != nil || len(list) > 1 {
			t.Errorf("%v, %v", list, err)
		}
	})
}
