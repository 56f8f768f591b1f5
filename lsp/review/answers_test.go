package review

import (
	"fmt"
	"strings"
	"testing"
)

// Many long answers do not pile up: the oldest go, the newest stays whatever its size.
func TestAnswersAreBounded(t *testing.T) {
	var a Answers
	long := strings.Repeat("x", keptAnswerBytes/4)
	for i := range 10 {
		a.Put(fmt.Sprint(i), long)
	}
	a.Put("9", long+"!")
	kept := 0
	for i := range 10 {
		if _, ok := a.Get(fmt.Sprint(i)); ok {
			kept++
		}
	}
	if text, ok := a.Get("9"); kept > 4 || !ok || text != long+"!" {
		t.Errorf("%d are kept", kept)
	}
	a.Put("all", strings.Repeat("x", 2*keptAnswerBytes))
	if _, ok := a.Get("all"); !ok || len(a.text) != 1 {
		t.Errorf("the newest is not the only one: %d", len(a.text))
	}
}
