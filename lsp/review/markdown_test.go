package review

import (
	"testing"
)

func TestHarmless(t *testing.T) {
	for in, want := range map[string]string{
		"plain *text* [a](https://x.y) <https://x.y/z>\n": "plain *text* [a](https://x.y) <https://x.y/z>\n",
		"![pixel](https://x.y/p.png?q=secret)":            "!\\[pixel](https://x.y/p.png?q=secret)",
		"![ref][1]\n\n[1]: https://x.y/p.png\n":           "!\\[ref][1]\n\n[1]: https://x.y/p.png\n",
		"[run](command:workbench.action.terminal.new)":    "[run](command\\:workbench.action.terminal.new)",
		"[run]( <command:x>)":                             "[run]( <command\\:x>)",
		"[run][1]\n[1]: command:x\n":                      "[run][1]\n[1]: command\\:x\n",
		"<command:x> <img src=x> </b> <!-- c -->":         "<command\\:x> \\<img src=x> \\</b> \\<!-- c -->",
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
		"\x1b[2K\u202eevil\u200b\r\n![a](b)":              "<U+001B>[2K<U+202E>evil<U+200B>\n!\\[a](b)",
	} {
		if got := Harmless(in); got != want {
			t.Errorf("Harmless(%q) = %q, want %q", in, got, want)
		}
	}
}
