//go:build !linux

package index

func (*pages) count() int { return 0 }
