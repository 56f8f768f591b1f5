//go:build !linux

package store

import "os"

// CanMap says whether Pages map anything on this system.
const CanMap = false

// Pages are nothing here: snapshots are read.
type Pages struct{}

// Open refuses.
func (*Pages) Open(*os.File, int) ([]byte, func(), error) { return nil, nil, ErrNotMapped }

// Rest does nothing.
func (*Pages) Rest() {}

// Count is how many parts are mapped.
func (*Pages) Count() int { return 0 }
