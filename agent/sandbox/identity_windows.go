package sandbox

import (
	"fmt"
	"os"

	"golang.org/x/sys/windows"
)

// folderIdentity is the number of the folder and the time at which it was made, which is that of the folder before where one of
// the same name comes at once.
func folderIdentity(root string) (string, error) {
	f, err := os.Open(root)
	if err != nil {
		return "", err
	}
	defer f.Close()
	var info windows.ByHandleFileInformation
	if err := windows.GetFileInformationByHandle(windows.Handle(f.Fd()), &info); err != nil {
		return "", err
	}
	return fmt.Sprintf("%d-%d", uint64(info.FileIndexHigh)<<32|uint64(info.FileIndexLow), info.CreationTime.Nanoseconds()), nil
}
