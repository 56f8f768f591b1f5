//go:build !linux

package index

import "os"

const canMap = false

// pages are nothing here: snapshots are read.
type pages struct{}

func (*pages) open(*os.File, int) ([]byte, func(), error) { return nil, nil, errNotMapped }

func (*pages) rest() {}
