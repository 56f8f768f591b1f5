//go:build !linux && !darwin && !windows

package verify

import "os"

func folderIdentity(root string) (string, error) {
	_, err := os.Stat(root)
	return "", err
}
