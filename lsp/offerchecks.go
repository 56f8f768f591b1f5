package lsp

import "context"

// offerChecks asks the user of a folder about the linters and tests that it shows to use, after a change has landed there:
// before that there is nothing to check, and a question would stand in the way.
func (s *server) offerChecks(ctx context.Context, r *rootState) {
	o := r.session.Consent.Suggest(ctx)
	if len(o.Tools) == 0 {
		return
	}
	if _, err := r.session.Consent.Offer(ctx, o, s.asker(r)); err != nil && ctx.Err() == nil {
		s.log.Warn("answer about linters and tests not saved", "err", err)
	}
}
