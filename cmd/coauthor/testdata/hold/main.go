//go:build windows

// Command hold keeps others from a file until its standard input ends: from writing it (read), or from
// opening it at all (none).
package main

import (
	"fmt"
	"io"
	"os"
	"syscall"
)

func main() {
	share := uint32(0)
	if os.Args[1] == "read" {
		share = syscall.FILE_SHARE_READ
	}
	name, err := syscall.UTF16PtrFromString(os.Args[2])
	if err == nil {
		_, err = syscall.CreateFile(name, syscall.GENERIC_READ, share, nil, syscall.OPEN_EXISTING, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("held")
	_, _ = io.Copy(io.Discard, os.Stdin) // the end is all that counts
}
