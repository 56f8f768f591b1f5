package main

import (
	"context"
)

// offerChecks asks about the linters, formatters and tests that the folder shows to use, once a change is in it. Where nobody can be
// asked it says how to set them.
func (h *headless) offerChecks(ctx context.Context, c *EditCmd) error {
	o := h.session.Consent.Suggest(ctx)
	if len(o.Tools) == 0 {
		return nil
	}
	if c.Yes || !h.interactive() {
		text, err := h.session.Consent.Advise(o)
		if text != "" {
			h.s.tell(text)
		}
		return err
	}
	_, err := h.session.Consent.Offer(ctx, o, h)
	return err
}
