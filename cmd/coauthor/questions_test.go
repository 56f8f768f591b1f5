package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"coauthor/agent/event"
)

// What Enter alone does at a question: it is put again; it is the choice that does nothing, which the question names or whoever
// puts it fills in; it is no text, with which nothing goes on; or it chooses, and what is chosen is asked about again before
// anything is written or sent.
const (
	enterAgain   = "again"
	enterDefault = "default"
	enterNothing = "nothing"
	enterChooses = "chooses"
)

// questions is what Enter alone does at each question that there is, by the function that makes it.
var questions = map[string]string{
	"agent/bring.go ask":                       enterDefault,
	"agent/coder/architect.go carryOut":        enterDefault,
	"agent/command/check.go offerFindings":     enterDefault,
	"agent/command/regenerate.go chooseModel":  enterNothing,
	"agent/command/run.go offerOutput":         enterDefault,
	"agent/command/run.go runQuestion":         enterDefault,
	"agent/command/suggested.go offerQuestion": enterDefault,
	"agent/command/suggested.go runSuggested":  enterDefault,
	"agent/consent/consent.go question":        enterDefault,
	"agent/consent/suggest.go Question":        enterDefault,
	"agent/gather.go consent":                  enterDefault,
	"agent/offer.go offer":                     enterDefault,
	"agent/pipeline/clarify.go put":            enterAgain,
	"agent/pipeline/exec.go scriptQuestion":    enterDefault,
	"agent/pipeline/improve.go change":         enterNothing,
	"agent/pipeline/tree.go Question":          enterAgain,
	"agent/room.go sized":                      enterDefault,
	"agent/rules/choose.go askFor":             enterDefault,
	"agent/web/web.go Agreed":                  enterDefault,
	"agent/web/web.go Get":                     enterDefault,
	"cmd/coauthor/applyask.go agreed":          enterDefault,
	"cmd/coauthor/chat/decide.go consent":      enterDefault,
	"cmd/coauthor/commit.go agree":             enterDefault,
	"cmd/coauthor/commit.go replace":           enterDefault,
	"cmd/coauthor/conversation.go Run":         enterDefault,
	"cmd/coauthor/decide.go consent":           enterDefault,
	"cmd/coauthor/decide.go line":              enterNothing, // the decision itself: see chat.Decider
	"cmd/coauthor/decide.go present":           enterDefault,
	"cmd/coauthor/decide.go reply":             enterNothing,
	"cmd/coauthor/headless.go complete":        enterNothing,
	"cmd/coauthor/init.go write":               enterDefault,
	"cmd/coauthor/newproject.go offerGit":      enterDefault,
	"cmd/coauthor/pipelines.go askInstruction": enterNothing,
	"cmd/coauthor/setup/ask.go Choose":         enterChooses,
	"cmd/coauthor/setup/ask.go other":          enterNothing,
	"cmd/coauthor/setup/ask.go pick":           enterChooses,
	"cmd/coauthor/suggested.go editLine":       enterNothing,
}

// harmless are the words of choices that write nothing and send nothing.
var harmless = map[string]bool{"no": true, "skip": true, "cancel": true, "none": true, "stop": true}

// TestEnterAlone goes over every question in the source: an empty line there leads to no call of a model and to no write. What
// the source says of a question is put into one, and Enter is what that makes of an empty line.
func TestEnterAlone(t *testing.T) {
	seen := map[string]bool{}
	for _, top := range []string{"agent", "cmd"} {
		err := filepath.WalkDir(filepath.Join("..", "..", top), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			src, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			f, err := parser.ParseFile(token.NewFileSet(), path, src, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			for _, decl := range f.Decls {
				fn, ok := decl.(*ast.FuncDecl)
				if !ok {
					continue
				}
				name := strings.TrimPrefix(filepath.ToSlash(path), "../../") + " " + fn.Name.Name
				ast.Inspect(fn, func(n ast.Node) bool {
					if lit, ok := n.(*ast.CompositeLit); ok && isQuestion(lit) {
						seen[name] = true
						entered(t, name, lit)
					}
					return true
				})
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for name := range questions {
		if !seen[name] {
			t.Errorf("%s makes no question any more", name)
		}
	}
}

func isQuestion(lit *ast.CompositeLit) bool {
	sel, ok := lit.Type.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Question" || len(lit.Elts) == 0 {
		return false
	}
	pkg, ok := sel.X.(*ast.Ident)
	return ok && pkg.Name == "event"
}

// entered types nothing at a question of the source. Words that are no literals there are not known.
func entered(t *testing.T, name string, lit *ast.CompositeLit) {
	t.Helper()
	var q event.Question
	unknown := false
	word := func(x ast.Expr) string {
		if b, ok := x.(*ast.BasicLit); ok && b.Kind == token.STRING {
			text, err := strconv.Unquote(b.Value)
			if err == nil {
				return text
			}
		}
		unknown = true
		return ""
	}
	for _, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		switch kv.Key.(*ast.Ident).Name {
		case "Choices":
			if list, ok := kv.Value.(*ast.CompositeLit); ok {
				for _, x := range list.Elts {
					q.Choices = append(q.Choices, word(x))
				}
			}
		case "Default":
			q.Default = word(kv.Value)
		case "FreeText":
			q.FreeText = true
		case "Explicit":
			q.Explicit = true
		}
	}
	if q.Default == "" && len(q.Choices) > 0 { // who puts it takes the last one
		q.Default = q.Choices[len(q.Choices)-1]
	}
	answer, ok := q.Choose("")
	does, known := questions[name]
	switch {
	case !known:
		t.Errorf("%s makes a question that the table does not have: what does Enter alone do there?", name)
	case ok == (does == enterAgain):
		t.Errorf("%s: an empty line is an answer: %t", name, ok)
	case does == enterNothing && (answer.Choice != "" || answer.Text != "" || !q.FreeText):
		t.Errorf("%s: an empty line is %+v", name, answer)
	case does == enterDefault && !unknown && answer.Choice != "" && !harmless[answer.Choice]:
		t.Errorf("%s: an empty line is %q", name, answer.Choice)
	}
}
