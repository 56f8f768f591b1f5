package settings

import "encoding/json"

// Editor is what an editor sent.
type Editor struct {
	Settings json.RawMessage // its section "coauthor"; nil for nothing
	// Own: no repository can write these settings (see LoadOptions.ClientOwn).
	Own bool
	// Trusted is the editor's own word on whether the workspace is trusted, as far as it has one and no
	// repository can say it in its place; nil otherwise.
	Trusted *bool
}

// Trusts says whether the workspace at root is trusted: by the user's own layers and the editor's word.
// Neither a file of the workspace nor settings that a repository can write are asked.
func (o LoadOptions) Trusts(root string, editor *bool) bool {
	o.WorkspaceFile = nil
	if !o.ClientOwn {
		o.Client = nil
	}
	own, _ := Load(o)
	return own.trustsRoot(root, editor)
}
