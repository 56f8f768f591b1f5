//go:build !windows

package workspace

import "os"

// listed returns the name by which a folder lists what part opens.
func (f *folder) listed(dir, part string) (string, error) {
	if dir == "" {
		dir = "."
	}
	open, err := f.OpenFile(dir, os.O_RDONLY, 0)
	if err != nil {
		return "", err
	}
	defer open.Close() // nothing is written
	list, err := open.Readdirnames(-1)
	if err != nil {
		return "", err
	}
	return spelledAs(list, part)
}
