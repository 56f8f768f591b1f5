package lsptest

import (
	"fmt"
	"slices"
)

// found takes over what the server says of a document: it stands in the place of all that it said before.
func (e *Editor) found(params any) {
	uri, _ := at(params, "uri").(string)
	list, _ := at(params, "diagnostics").([]any)
	if e.log.Found == nil {
		e.log.Found = map[string][]any{}
	}
	e.log.Found[uri] = list
	for _, d := range list {
		if severity := fmt.Sprint(at(d, "severity")); !slices.Contains([]string{"<nil>", "1", "2", "3", "4"}, severity) {
			e.violation("a diagnostic has the severity %s", severity)
		}
	}
}
