package review

import (
	"net/url"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

func TestHarmless(t *testing.T) {
	for in, want := range map[string]string{
		"plain *text* [a](https://x.y) <https://x.y/z>\n": "plain *text* [a](https://x.y) <https://x.y/z>\n",
		"![pixel](https://x.y/p.png?q=secret)":            "!\\[pixel](https://x.y/p.png?q=secret)",
		"![ref][1]\n\n[1]: https://x.y/p.png\n":           "!\\[ref][1]\n\n[1]: https://x.y/p.png\n",
		"[run](command:workbench.action.terminal.new)":    "\\[run](command\\:workbench.action.terminal.new)",
		"[run]( <command:x>)":                             "\\[run]( <command\\:x>)",
		"[run][1]\n\n[1]: command:x\n":                    "\\[run][1]\n\n\\[1]: command\\:x\n",
		"<command:x> <img src=x> </b> <!-- c -->":         "\\<command\\:x> \\<img src=x> \\</b> \\<!-- c -->",
		"a < b && c <= d <- e":                            "a < b && c <= d <- e",
		"`<b>` ok":                                        "`<b>` ok",
		"```html\n<img src=x>\n![a](b)\n```\n![a](b)\n":   "```html\n<img src=x>\n![a](b)\n```\n!\\[a](b)\n",
		"```` x\n```\n![a](b)\n````\n![a](b)\n":           "```` x\n```\n![a](b)\n````\n!\\[a](b)\n",
		"``` `x` ```\n![a](b)\n":                          "``` `x` ```\n!\\[a](b)\n",
		"    ```\n![a](b)\n":                              "    ```\n!\\[a](b)\n",
		"   ```\n![a](b)\n   ```\n![a](b)":                "   ```\n![a](b)\n   ```\n!\\[a](b)",
		"```\n![a](b)\n    ```\n![a](b)":                  "```\n![a](b)\n    ```\n![a](b)",
		"``\n![a](b)\n":                                   "``\n!\\[a](b)\n",
		"~~~ `x`\n![a](b)\n```\n~~~\n![a](b)":             "~~~ `x`\n![a](b)\n```\n~~~\n!\\[a](b)",
		"```\n![a](b)\n``` x\n![a](b)":                    "```\n![a](b)\n``` x\n![a](b)",
		"```\n![a](b)\n`````\n![a](b)":                    "```\n![a](b)\n`````\n!\\[a](b)",
		"[run](&#99;ommand:x)":                            "\\[run](&#99;ommand\\:x)",
		"[run](command&colon;x)":                          "\\[run](command&colon;x)",
		"[run](command\\:x)":                              "\\[run](command\\:x)",
		"[`command:x`](\ncommand:x)":                      "\\[`command:x`](\ncommand\\:x)",
		"[run]\n\n> [run]: <JavaScript:x> 'now'\n":        "\\[run]\n\n> \\[run]: <JavaScript\\:x> 'now'\n",
		"[a\nb](vscode://x)":                              "\\[a\nb](vscode\\://x)",
		"[share](//host/x) [b](file:///x)":                "\\[share](//host/x) \\[b](file\\:///x)",
		"[a](b.go#L3) [c](mailto:a@b.c) <a@b.c>":          "[a](b.go#L3) [c](mailto:a@b.c) <a@b.c>",
		"[a [b](command:x)](command:y)":                   "\\[a \\[b](command\\:x)](command:y)",
		"- ```\n  [a](command:x)\n\n[a](command:x)":       "- ```\n  [a](command:x)\n\n\\[a](command\\:x)",
		"> ```\n[a](command:x)":                           "> ```\n\\[a](command\\:x)",
		"1. ~~~\n   x\n2. ![a](b)\n~~~":                   "1. ~~~\n   x\n2. !\\[a](b)\n~~~",
		"    [a](command:x)":                              "    [a](command:x)",
		"a\n    [a](command:x)":                           "a\n    \\[a](command\\:x)",
		"`` ` [a](command:x) `` `\n<b>`":                  "`` ` [a](command:x) `` `\n<b>`",
		"` [a](command:x)\n\n`":                           "` \\[a](command\\:x)\n\n`",
		"<div>\n[a](command:x)\n</div>\n\n`<b>`":          "\\<div>\n\\[a](command\\:x)\n\\</div>\n\n`<b>`",
		"<!--\n```\n<b>\n```\n-->":                        "\\<!--\n```\n<b>\n```\n-->",
		"|a|b|\n|-|-|\n|`x|[a](command:x)`|":              "|a|b|\n|-|-|\n|`x|\\[a](command\\:x)`|",
		"\x1b[2K\u202eevil\u200b\r\n![a](b)":              "<U+001B>[2K<U+202E>evil<U+200B>\n!\\[a](b)",
	} {
		if got := Harmless(in); got != want {
			t.Errorf("Harmless(%q) = %q, want %q", in, got, want)
		}
	}
}

// acts is what would act in a text, as goldmark reads it.
func acts(markdown string) (list []string) {
	source := []byte(markdown)
	_ = ast.Walk(goldmark.DefaultParser().Parse(text.NewReader(source)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		var to []byte
		switch n := n.(type) {
		case *ast.Link:
			to = n.Destination
		case *ast.AutoLink:
			if n.AutoLinkType == ast.AutoLinkURL {
				to = n.URL(source)
			}
		case *ast.Image, *ast.RawHTML, *ast.HTMLBlock:
			list = append(list, n.Kind().String())
		}
		to = util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(to)))
		if u, err := url.Parse(string(to)); err == nil && entering {
			switch u.Scheme {
			case "", "http", "https", "mailto":
			default:
				list = append(list, u.Scheme)
			}
		}
		return ast.WalkContinue, nil
	})
	return list
}

func FuzzHarmless(f *testing.F) {
	for _, seed := range []string{
		"[run](command:x)", "[run](&#99;ommand:x)", "[a][b]\n\n[b]: command:x", "<command:x>", "- ```\n  x\n\n![a](b)",
		"<div>\n```\n<b>\n```\n<b>\n</div>", "> <!--\n> [a](data:x)", "[![a](b)](javascript:x)", "\\\\[a](file:x)", "`a``[b](c:d)`",
		"|a|b|\n|-|-|\n|`x|<b>`|", "\t- <x>\n\t\t<y>", "[a]: <c:d>\n[a]", "![[a](b:c)][d]\n\n[d]: e", "~~~\n<b>",
		"<?x\n<![CDATA[\n[a](b:c)\n]]>", strings.Repeat("> <p>\n```\n", 20),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		if len(in) > 4096 {
			return
		}
		out := Harmless(in)
		if list := acts(out); list != nil {
			t.Fatalf("%q acts in %q, from %q", list, out, in)
		}
		if again := Harmless(out); again != out {
			t.Fatalf("%q becomes %q when it is read again", out, again)
		}
		if doc := AnswerText(in); openFence(doc) != "" {
			t.Fatalf("a listing is open at the end of %q", doc)
		}
	})
}

// What would keep the parser for long is shown as it is, and as a listing it does not act either.
func TestHarmlessIsBounded(t *testing.T) {
	for _, piece := range []string{"[a](", "![", "<a", "`", "> ", "- ", "[a](command:x) ", "<div>\n```\n"} {
		in := strings.Repeat(piece, 200_000/len(piece))
		out := Harmless("[b](command:y)\n\n" + in)
		if list := acts(out); list != nil || !strings.HasPrefix(out, "```") {
			t.Errorf("%q many times: %q acts in %.40q", piece, list, out)
		}
	}
}
