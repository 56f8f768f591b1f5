package formats_test

import (
	"fmt"
	"strings"
	"testing"

	"coauthor/edits"
	"coauthor/edits/editstest"
	"coauthor/edits/formats"
	"coauthor/edits/loss"
)

func lines(from, to int) string {
	var b strings.Builder
	for i := from; i <= to; i++ {
		fmt.Fprintf(&b, "key%d: value%d\n", i, i)
	}
	return b.String()
}

// TestGuardInEveryFormat applies replies that take much of a file away, and says what the guard makes of them.
func TestGuardInEveryFormat(t *testing.T) {
	before := lines(1, 40)
	for _, f := range formats.All() {
		for _, c := range []struct {
			name, after   string
			diff, listing bool
		}{
			{"one line is left", "key7: value7\n", true, true},
			{"another text in its place", "It is right already.\n", true, true},
			{"nine lines are left out", lines(1, 20) + lines(30, 40), false, true},
			{"one line is left out", lines(1, 20) + lines(22, 40), false, false},
			{"rewritten", lines(101, 140), false, false},
		} {
			t.Run(f.Name+"/"+c.name, func(t *testing.T) {
				files := editstest.Files{"app.yaml": before}
				list, problems := edits.Parse(f, editstest.Rewrite(f.Name, "app.yaml", before, c.after), edits.Ended, edits.ParseOptions{})
				res := edits.Apply(files, list, problems, edits.Options{Chat: []string{"app.yaml"}})
				if got := files.After(res.Changes)["app.yaml"]; got != c.after {
					t.Fatalf("the file reads %q: %+v", got, res.Failures)
				}
				trips := c.diff
				if editstest.Lists(f.Name) {
					trips = c.listing
				}
				if got := loss.Guard(res.Changes, res.Listed); len(got) > 0 != trips {
					t.Errorf("trips: %v", got)
				}
			})
		}
	}
}

// unchanged are thirty ways to write that the rest stays, in ten languages; most say it without dots.
var unchanged = []string{
	"# ... rest of the file unchanged ...", "# the rest stays the same", "# (everything below is as before)",
	"# ... der Rest bleibt unverändert ...", "# Rest wie gehabt", "# ab hier alles wie vorher",
	"# ... le reste du fichier est inchangé ...", "# le reste ne change pas", "# la suite reste identique",
	"# ... el resto queda igual ...", "# el resto del archivo no cambia", "# lo demás sin cambios",
	"# ... il resto rimane invariato ...", "# il resto del file come prima", "# tutto il resto resta uguale",
	"# ... o restante permanece igual ...", "# o resto do arquivo não muda", "# demais linhas sem alteração",
	"# ... остальное без изменений ...", "# остальная часть файла не меняется", "# дальше всё как было",
	"# ……其余部分保持不变……", "# 其余代码不变", "# 以下内容同原文件",
	"# ……残りは変更なし……", "# 残りの部分はそのまま", "# 以下は元のファイルと同じです",
	"# ... 나머지는 그대로 ...", "# 나머지 코드는 변경 없음", "# 이하 기존과 동일",
	"(remaining entries omitted for brevity)", "[rest unchanged]", "<keep the other keys>", "[...]", "// 省略", "…",
}

// TestRestUnchanged: whatever words stand for the lines that a reply leaves out, either the reply is refused or the guard
// trips.
func TestRestUnchanged(t *testing.T) {
	before := lines(1, 40)
	for _, f := range formats.All() {
		for _, words := range unchanged {
			t.Run(f.Name+"/"+words, func(t *testing.T) {
				files := editstest.Files{"app.yaml": before}
				list, problems := edits.Parse(f, editstest.Rewrite(f.Name, "app.yaml", before, lines(1, 3)+"key4: other\n"+words+"\n"), edits.Ended, edits.ParseOptions{})
				res := edits.Apply(files, list, problems, edits.Options{Chat: []string{"app.yaml"}})
				if len(res.Failures) == 0 && len(loss.Guard(res.Changes, res.Listed)) == 0 {
					t.Errorf("nothing is said of it: %q", files.After(res.Changes)["app.yaml"])
				}
			})
		}
	}
}
