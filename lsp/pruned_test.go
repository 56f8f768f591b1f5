package lsp

import (
	"fmt"
	"strings"
	"testing"
)

// Many long answers do not pile up: the oldest go, the newest stays whatever its size.
func TestAnswersAreBounded(t *testing.T) {
	var a answers
	long := strings.Repeat("x", keptAnswerBytes/4)
	for i := range 10 {
		a.put(fmt.Sprint(i), long)
	}
	a.put("9", long+"!")
	kept := 0
	for i := range 10 {
		if _, ok := a.get(fmt.Sprint(i)); ok {
			kept++
		}
	}
	if text, ok := a.get("9"); kept > 4 || !ok || text != long+"!" {
		t.Errorf("%d are kept", kept)
	}
	a.put("all", strings.Repeat("x", 2*keptAnswerBytes))
	if _, ok := a.get("all"); !ok || len(a.text) != 1 {
		t.Errorf("the newest is not the only one: %d", len(a.text))
	}
}
