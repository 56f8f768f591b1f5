package pipeline_test

import (
	"regexp"
	"strings"
	"testing"

	"coauthor/agent/pipeline"
	"coauthor/agent/prompt"
	"coauthor/edits/formats"
)

// The texts of pipelines teach an edit format by the rules that the format has, and say none of them in other words.
func TestPipelinesTeachAFormatOnce(t *testing.T) {
	texts := pipeline.BuiltIn()
	other := regexp.MustCompile(`(?i)nothing left out|ready to run|whole content|begin with the file|applies the diffs|copied exactly|FORMAT_RULES`)
	numbers := regexp.MustCompile(`@@ -\S+ \+\S+ @@`)
	for step, c := range map[string]struct{ form, format string }{"generate": {"file_format", "files"}, "improve": {"file_format_diff", "gitdiff"}} {
		f, _ := formats.ByName(c.format)
		rules, err := prompt.FormatRules(f, step == "improve")
		if err != nil {
			t.Fatal(err)
		}
		text := strings.Replace(texts["roadmap"]+texts[step]+texts["philosophy"], "FILE_FORMAT", texts[c.form], 1)
		if strings.Count(text, rules) != 1 {
			t.Errorf("%s has the rules of %s %d times:\n%s", step, c.format, strings.Count(text, rules), text)
		}
		if again := other.FindString(strings.Replace(text, rules, "", 1)); again != "" {
			t.Errorf("%s says %q beside the rules of %s:\n%s", step, again, c.format, text)
		}
		if shown := numbers.MatchString(text); shown != (step == "improve") {
			t.Errorf("%s asks for numbers %v:\n%s", step, shown, text)
		}
	}
	if told := regexp.MustCompile(`(?i)that you are (not )?shown|as far as you are shown`).FindString(texts["improve"]); told != "" {
		t.Errorf("who can look is told %q:\n%s", told, texts["improve"])
	}
}
