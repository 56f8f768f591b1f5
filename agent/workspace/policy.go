package workspace

import (
	"context"
	"fmt"
	"sync"
)

// Policy is what the settings of a root say about its files.
type Policy struct {
	// Encoding is the encoding of files that are neither UTF-8 nor begin with a byte order mark,
	// by its IANA or WHATWG name; "" refuses them.
	Encoding       string
	AllowIgnored   bool     // ignored files are treated like others
	IgnoreFiles    []string // names of more ignore files, beside those that are always read
	DenyGlobs      []string // more files that are not sent without consent
	ProtectedGlobs []string // more files that are not edited without consent
}

// policy is a Policy in the form in which it is asked.
type policy struct {
	enc          codec // for files that are not UTF-8
	allowIgnored bool
	more         []string // names of ignore files that the settings add
	rules        rules
}

func newPolicy(o Policy) (*policy, error) {
	enc, err := codecOf(o.Encoding)
	if err != nil {
		return nil, err
	}
	r, err := newRules(o)
	if err != nil {
		return nil, err
	}
	return &policy{enc: enc, allowIgnored: o.AllowIgnored, more: o.IgnoreFiles, rules: r}, nil
}

// settling is a policy that is asked for once.
type settling struct {
	asked  sync.Once
	known  chan struct{} // closed when the next two are set, which then stay
	policy *policy
	err    error // why there is no policy
}

func newSettling() *settling { return &settling{known: make(chan struct{})} }

// Renew has the policy of the root asked for again when it is needed next: settings that were changed count for the
// next turn. One that is still being read stays: the disk that it waits for would not answer sooner.
func (w *Workspace) Renew() {
	if w.o.Policy == nil || w.root == "" {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	select {
	case <-w.rules.known:
		w.rules = newSettling()
	default:
	}
}

// policy returns the policy of the root. The first call that needs one has it read, on a goroutine of its
// own: the file system may be slow or hang, and then only those wait who want the answer, each as long as
// its ctx lasts. Without a usable policy nothing may be done.
func (w *Workspace) policy(ctx context.Context) (*policy, error) {
	w.mu.Lock()
	s := w.rules
	w.mu.Unlock()
	s.asked.Do(func() {
		go func() {
			defer close(s.known)
			s.policy, s.err = w.readPolicy()
			if s.err != nil {
				w.o.Log.Warn("cannot use the folder's settings", "root", w.root, "err", s.err)
			}
		}()
	})
	select {
	case <-s.known:
		return s.policy, s.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// readPolicy asks for the policy. A panic there is an error here, since nobody is above this goroutine.
func (w *Workspace) readPolicy() (p *policy, err error) {
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("read the settings of %s: %v", w.root, x)
		}
	}()
	return newPolicy(w.o.Policy())
}

// unusable is the refusal of everything for want of a policy.
func unusable(ctx context.Context, p string, err error) Decision {
	if ctx.Err() != nil {
		return refused(p, CodeUnasked, "the check was stopped")
	}
	return refused(p, CodeSettings, "cannot use this folder's settings: "+err.Error())
}
