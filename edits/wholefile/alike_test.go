package wholefile_test

import (
	"strings"
	"testing"

	"coauthor/edits"
	"coauthor/edits/editstest"
	"coauthor/edits/wholefile"

	"github.com/google/go-cmp/cmp"
)

const shop = "import money\n\n\ndef total(lines):\n    return sum(lines)\n\n\ndef render(lines):\n    return str(total(lines))\n"

// Of several listings without a name, those that are a file again are that file; the rest are illustrations.
func TestListingsAreKnownByTheirText(t *testing.T) {
	newShop := strings.Replace(shop, "str(total(lines))", "money.show(total(lines))", 1)
	bank := "def show(cents):\n    return f'{cents} cents'\n\n\ndef parse(text):\n    return int(text)\n"
	newBank := strings.Replace(bank, "cents}", "cents // 100}", 1)
	listing := func(text string) string { return "```python\n" + text + "```\n" }
	files := editstest.Files{"shop.py": shop, "money.py": bank}
	for name, c := range map[string]struct {
		reply string
		files editstest.Files
		want  map[string]string // by path; nil: refused
	}{
		"an illustration first":     {listing("money.show(3)\n") + "The file:\n" + listing(newShop), files, map[string]string{"shop.py": newShop}},
		"two files":                 {listing(newShop) + "and\n" + listing(newBank) + "so\n" + listing("show(1)\n"), files, map[string]string{"shop.py": newShop, "money.py": newBank}},
		"one file twice":            {listing(newShop) + "or\n" + listing(shop), files, nil},
		"two files that are alike":  {listing("x\n") + "\n" + listing(newShop), editstest.Files{"shop.py": shop, "old.py": shop}, nil},
		"a part of a file":          {listing("x\n") + "\n" + listing("def total(lines):\n    return sum(lines) + 1\n"), files, nil},
		"a block of its name alone": {listing("shop.py\n") + listing(newShop), files, map[string]string{"shop.py": newShop}},
		"its name in a block, then another file's": {listing("shop.py\n") + "money.py\n" + listing(newBank), files,
			map[string]string{"money.py": newBank}},
		"a name of no file of the chat in a block":  {listing("other.py\n") + listing(newShop), files, map[string]string{"shop.py": newShop}},
		"a block of its name in a list of commands": {"```sh\nshop.py\n```\n" + listing(newShop), files, map[string]string{"shop.py": newShop}},
	} {
		t.Run(name, func(t *testing.T) {
			p := wholefile.New(edits.ParseOptions{Chat: c.files.Paths(), Files: c.files})
			p.Write(c.reply)
			list, problems := p.Close(edits.Ended)
			var got map[string]string
			for _, e := range list {
				if got == nil {
					got = map[string]string{}
				}
				got[e.Path] = e.Replace
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if (len(problems) > 0) != (c.want == nil) {
				t.Errorf("problems: %v", problems)
			}
		})
	}
}

// Many listings and files are not all compared.
func TestManyListingsAreNotCompared(t *testing.T) {
	files := editstest.Files{"shop.py": shop}
	for i := range 8 {
		files[strings.Repeat("x", i+1)+".txt"] = "nothing\n"
	}
	p := wholefile.New(edits.ParseOptions{Chat: files.Paths(), Files: files})
	p.Write(strings.Repeat("```\nx\n```\nand\n", 7) + "```\n" + shop + "```\n")
	if list, problems := p.Close(edits.Ended); len(list) != 0 || len(problems) != 8 {
		t.Errorf("%d edits, %d problems", len(list), len(problems))
	}
}
