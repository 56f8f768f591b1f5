package edits_test

import (
	"strings"
	"testing"

	"coauthor/edits"
)

// A listing under a new name that is a chat file again, changed here and there, is refused, so that it does not become a
// stray file beside the one that was meant.
func TestListingsUnderTheWrongName(t *testing.T) {
	const file = "import os\n\nLIMIT = 10\n\n\ndef load(name):\n    with open(name) as f:\n        return f.read()\n\n\ndef save(name, text):\n    with open(name, 'w') as f:\n        f.write(text)\n"
	changed := strings.Replace(file, "LIMIT = 10", "LIMIT = 20", 1)
	const other = "from a import load\n\n\ndef main():\n    print(load('x'))\n"
	whole := func(path, text string) edits.Edit {
		return edits.Edit{Path: path, Op: edits.OpUpdate, Kind: edits.KindWhole, Listing: true, Replace: text}
	}
	wants := func(names ...string) func(string) bool {
		return func(path string) bool { return strings.Contains(strings.Join(names, " "), path) }
	}
	for what, c := range map[string]struct {
		list   []edits.Edit
		wanted func(string) bool
		chat   []string
		right  bool
	}{
		"the file with a change":        {one(whole("store.py", changed)), wants(), nil, false},
		"the file as it is":             {one(whole("store.py", file)), wants(), nil, false},
		"with a new function":           {one(whole("store.py", file+"\n\ndef drop(name):\n    os.remove(name)\n")), wants(), nil, false},
		"the larger part of it":         {one(whole("store.py", strings.Join(strings.SplitAfter(changed, "\n")[:12], ""))), wants(), nil, false},
		"in a folder":                   {one(whole("src/lib/store.py", changed)), wants(), nil, false},
		"beside an edit of another":     {one(whole("store.py", changed), edits.Edit{Index: 1, Path: "b.py", Op: edits.OpUpdate, Kind: edits.KindReplace, Search: "def main():\n", Replace: "def go():\n"}), wants(), nil, false},
		"the user names it":             {one(whole("store.py", changed)), wants("store.py"), nil, true},
		"the user named it as a file":   {one(whole("store.py", changed)), wants(), []string{"a.py", "b.py", "store.py"}, true},
		"nobody knows the request":      {one(whole("store.py", changed)), nil, nil, true},
		"beside the file itself":        {one(whole("store.py", file), edits.Edit{Index: 1, Path: "a.py", Op: edits.OpUpdate, Kind: edits.KindReplace, Search: "LIMIT = 10\n", Replace: ""}), wants(), nil, true},
		"which is deleted":              {one(whole("store.py", file), edits.Edit{Index: 1, Path: "a.py", Op: edits.OpDelete, Kind: edits.KindDelete}), wants(), nil, true},
		"a test of it":                  {one(whole("test_a.py", "import os\n\nfrom a import load, save\n\n\ndef test_load(tmp_path):\n    save(tmp_path / 'x', 'text')\n    assert load(tmp_path / 'x') == 'text'\n    assert os.path.exists(tmp_path / 'x')\n")), wants(), nil, true},
		"one function of it":            {one(whole("load.py", "def load(name):\n    with open(name) as f:\n        return f.read()\n")), wants(), nil, true},
		"much more than it":             {one(whole("all.py", file+strings.Repeat("\n\ndef more_of_it(a, b):\n    first = a + b\n    second = a - b\n    return first * second\n", 9)+strings.ReplaceAll("\n\nX1 = 1\nX2 = 2\nX3 = 3\nX4 = 4\nX5 = 5\nX6 = 6\nX7 = 7\nX8 = 8\nX9 = 9\n", "X", "VALUE"))), wants(), nil, true},
		"the same shape with own names": {one(whole("cache.py", "import os\n\nSIZE = 10\n\n\ndef get(key):\n    with open(key) as f:\n        return f.read()\n\n\ndef put(key, value):\n    with open(key, 'w') as f:\n        f.write(value)\n")), wants(), nil, true},
		"a block for a new file":        {one(edits.Edit{Path: "store.py", Op: edits.OpCreate, Kind: edits.KindReplace, Replace: changed}), wants(), nil, true},
		"a short file":                  {one(whole("c.py", other)), wants(), []string{"c0.py"}, true},
	} {
		tree := files{"a.py": file, "b.py": other, "c0.py": "x = 1\ny = 2\n"}
		chat := c.chat
		if chat == nil {
			chat = []string{"a.py", "b.py"}
		}
		for i := range c.list {
			c.list[i].Index = i
		}
		r := edits.Apply(tree, c.list, nil, edits.Options{Chat: chat, Wanted: c.wanted})
		refused := len(r.Failures) == 1 && r.Failures[0].Reason == edits.ReasonWrongName
		if refused == c.right || len(r.Failures) > 1 || c.right && len(r.Failures) > 0 {
			t.Errorf("%s: %+v", what, r.Failures)
		}
		if refused {
			// Under the same name once more it is that file, unless something of it is gone.
			again := edits.Apply(tree, c.list, nil, edits.Options{Chat: chat, Wanted: c.wanted, Misnamed: []string{r.Failures[0].Path}})
			whole := c.list[0].Replace
			if keeps := edits.Keeps(file, whole); keeps != (len(again.Failures) == 0) || keeps && tree.After(again.Changes)["a.py"] != whole || len(tree.After(again.Changes)) != 3 {
				t.Errorf("%s, again: %+v leaves %v", what, again.Failures, again.Changes)
			}
		}
		if refused && (!strings.Contains(r.Failures[0].Message, "a.py") || tree.After(r.Changes)["a.py"] != file || len(tree.After(r.Changes)) != 3) {
			t.Errorf("%s: %+v leaves %v", what, r.Failures, r.Changes)
		}
	}
}
