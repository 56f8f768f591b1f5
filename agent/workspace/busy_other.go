//go:build !windows

package workspace

import "os"

// held is about locks that only Windows has: everywhere else a program cannot keep another from a file.
func held(error, bool) bool { return false }

func remove(root *os.Root, name string) error { return root.Remove(name) }
