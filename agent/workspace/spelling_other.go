//go:build !windows

package workspace

import "os"

// listed returns the name by which a folder lists what part opens.
func (d *Door) listed(dir, part string) (string, error) {
	if dir == "" {
		dir = "."
	}
	f, err := d.w.fs.OpenFile(dir, os.O_RDONLY, 0)
	if err != nil {
		return "", err
	}
	defer f.Close() // nothing is written
	list, err := f.Readdirnames(-1)
	if err != nil {
		return "", err
	}
	return spelledAs(list, part)
}
