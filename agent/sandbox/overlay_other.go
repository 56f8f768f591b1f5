//go:build !linux

package sandbox

import (
	"context"
	"errors"
)

// tryOverlay says that there is none: no other system lets a program see a folder otherwise than it is without a copy.
func (s *Shadow) tryOverlay(context.Context, string) error {
	return errors.New("this system does not support overlays")
}

func (s *Shadow) overlaid(ctx context.Context, _ Job) (Executed, error) {
	return Executed{}, s.tryOverlay(ctx, "")
}

func (s *Shadow) apart(ctx context.Context, _ Execution, _ help) (Executed, error) {
	return Executed{}, s.tryOverlay(ctx, "")
}

// bounded runs a command where it is. Its memory, the number of its processes and the size of its files have no limit
// here.
func bounded(ctx context.Context, _ []string, x Execution, h help) (Executed, error) {
	return direct(ctx, x, h)
}

// ServeShadow is the other half of a Shadow; there is none on this system.
func ServeShadow() error { return errors.New("this system does not support overlays") }

func mostMemory() int64 { return 0 }
