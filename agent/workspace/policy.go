package workspace

import (
	"context"
	"fmt"
)

// Policy is what the settings of a root say about its files.
type Policy struct {
	// Encoding is the encoding of files that are neither UTF-8 nor begin with a byte order mark,
	// by its IANA or WHATWG name; "" refuses them.
	Encoding       string
	AllowIgnored   bool     // ignored files are treated like others
	DenyGlobs      []string // more files that are not sent without consent
	ProtectedGlobs []string // more files that are not edited without consent
}

// policy is a Policy in the form in which it is asked.
type policy struct {
	enc          codec // for files that are not UTF-8
	allowIgnored bool
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
	return &policy{enc: enc, allowIgnored: o.AllowIgnored, rules: r}, nil
}

// policy returns the policy of the root. The first call that needs one has it read, on a goroutine of its
// own: the file system may be slow or hang, and then only those wait who want the answer, each as long as
// its ctx lasts. Without a usable policy nothing may be done.
func (w *Workspace) policy(ctx context.Context) (*policy, error) {
	w.asked.Do(func() {
		go func() {
			defer close(w.known)
			w.settled, w.unusable = w.readPolicy()
			if w.unusable != nil {
				w.o.Log.Warn("the settings of the root cannot be used", "root", w.root, "err", w.unusable)
			}
		}()
	})
	select {
	case <-w.known:
		return w.settled, w.unusable
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
	return refused(p, CodeSettings, "the settings of this folder cannot be used: "+err.Error())
}
