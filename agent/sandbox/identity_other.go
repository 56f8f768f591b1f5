//go:build !linux && !darwin && !windows

package sandbox

import "os"

func folderIdentity(root string) (string, error) {
	_, err := os.Stat(root)
	return "", err
}
