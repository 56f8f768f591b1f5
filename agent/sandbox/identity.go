package sandbox

import (
	"fmt"
)

// Identity tells the folder that lies at root from another one that is put in its place, or was there before: it stays as it
// is while what is in the folder changes, and when the machine starts again. It is one line. Where the system knows nothing of
// the kind it is "", for every folder.
func Identity(root string) (string, error) {
	id, err := folderIdentity(root)
	if err != nil {
		return "", fmt.Errorf("identify the folder at %s: %w", root, err)
	}
	return id, nil
}
