package mention_test

import (
	"context"
	"testing"

	"coauthor/agent/mention"
)

// TestAICommentsInEveryForm: a marked comment counts in the form of its language, also in the template around it, and its
// signs are no part of what it says.
func TestAICommentsInEveryForm(t *testing.T) {
	for path, text := range map[string]string{
		"a.vue": "<template>\n  <!-- add it AI! -->\n</template>\n", "a.php": "<!-- add it AI! -->\n<?php\necho 1;\n", "b.php": "<?php\n// add it AI!\n", "a.blade.php": "{{-- add it AI! --}}\n",
		"a.erb": "<%# add it AI! %>\n", "a.ejs": "<%# AI! add it %>\n", "a.heex": "<%!-- add it AI! --%>\n", "a.jsp": "<%-- add it AI! --%>\n", "a.jinja2": "{# add it AI! #}\n", "a.jinja": "{#- add it AI! -#}\n",
		"a.twig": "{# AI! add it #}\n", "a.njk": "{# add it AI! #}\n", "a.mdx": "{/* add it AI! */}\n", "a.cshtml": "@* add it AI! *@\n", "a.razor": "@*\nadd it AI!\n*@\n", "a.hbs": "{{!-- add it AI! --}}\n", "a.mustache": "{{! add it AI! }}\n",
		"a.haml": "-# add it AI!\n", "a.bat": "REM add it AI!\n", "b.bat": "@rem AI! add it\n", "a.cmd": ":: add it AI!\n", "a.vb": "' add it AI!\n", "a.bas": "' AI! add it\n", "a.vbs": "x = 1 ' add it AI!\n",
		"a.svelte": "<!-- add it AI! -->\n", "a.zig": "// add it AI!\n", "a.adb": "-- add it AI!\n", "a.cob": "      * add it AI!\n", "a.ps1": "# add it AI!\n", "a.R": "# add it AI!\n",
	} {
		list, err := mention.AIComments(context.Background(), path, text)
		if err != nil || len(list) != 1 || list[0].Kind != mention.AIDo || list[0].Text != "add it" {
			t.Errorf("%s: %+v, %v", path, list, err)
		}
	}
	for path, text := range map[string]string{
		"a.vb": "s = \"' add it AI!\"\n", "a.bat": "echo add it AI!\n", "a.php": "<?php $s = '<!-- add it AI! -->';\n", "a.twig": "{{ add it AI! }}\n", "a.mdx": "# add it AI!\n", "a.vue": "<p>add it AI!</p>\n",
	} {
		if list, err := mention.AIComments(context.Background(), path, text); err != nil || len(list) != 0 {
			t.Errorf("%s: no comment, and %+v, %v", path, list, err)
		}
	}
}
