package workspace

import (
	"path/filepath"
	"strings"
	"syscall"
)

// listed returns the name by which a folder lists what part opens. The system looks it up, a short name of
// eight letters too.
func (f *folder) listed(dir, part string) (string, error) {
	if strings.ContainsAny(part, `*?<>"`) { // patterns to the call below
		return part, nil
	}
	name, err := syscall.UTF16PtrFromString(filepath.Join(f.name, filepath.FromSlash(dir), part))
	if err != nil {
		return "", err
	}
	var data syscall.Win32finddata
	h, err := syscall.FindFirstFile(name, &data)
	if err != nil {
		return "", err
	}
	defer syscall.FindClose(h)
	return syscall.UTF16ToString(data.FileName[:]), nil
}
