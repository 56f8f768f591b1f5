package remote

import (
	"context"
	"time"

	"coauthor/agent/llm"
)

// keepsAway is for how long a model that could not be had is not asked again where there is another.
const keepsAway = 5 * time.Minute

// Stream implements Client. A model that cannot be had is replaced by the request's fall-back: only while
// nothing of a reply has been passed on, and never because the call itself was refused.
func (c *Client) Stream(ctx context.Context, r llm.Request, on func(llm.Delta)) (llm.Reply, error) {
	if on == nil {
		on = func(llm.Delta) {}
	}
	if r.Fallback == nil {
		reply, err := c.whole(ctx, r, on)
		return reply, plain(err)
	}
	err := c.away(r)
	if err == nil {
		var reply llm.Reply
		if reply, err = c.whole(ctx, r, on); err == nil || ctx.Err() != nil || !unavailable(err) || reply.Text != "" || reply.Reasoning != "" {
			return reply, plain(err)
		}
		c.keepAway(r, err)
	}
	if r.OnFallback != nil {
		r.OnFallback(err)
	}
	r.Model = *r.Fallback
	reply, second := c.whole(ctx, r, on)
	reply.Instead = r.Fallback
	if second != nil {
		second.Partial.Instead = r.Fallback
	}
	return reply, plain(second)
}

// plain makes an error of what may be none.
func plain(err *llm.Error) error {
	if err == nil {
		return nil
	}
	return err
}

// unavailable says whether another model would help: this one is overloaded, out of reach, silent, unknown
// there, or its account is empty.
func unavailable(e *llm.Error) bool {
	switch e.Kind {
	case llm.RateLimit, llm.Overloaded, llm.Network, llm.Timeout, llm.NotFound:
		return true
	case llm.Refused:
		return e.Unpaid
	case llm.NoKey, llm.Auth, llm.TooLong, llm.BadStream, llm.BadRequest, llm.Canceled:
	}
	return false
}

// away returns why the model was not to be had a moment ago; nil when it is to be asked.
func (c *Client) away(r llm.Request) *llm.Error {
	c.mu.Lock()
	defer c.mu.Unlock()
	gone, ok := c.gone[awayKey(r)]
	if !ok || c.o.Clock().After(gone.until) {
		return nil
	}
	return gone.why
}

func (c *Client) keepAway(r llm.Request, why *llm.Error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.gone[awayKey(r)] = gone{until: c.o.Clock().Add(max(keepsAway, why.RetryAfter)), why: why}
}

func awayKey(r llm.Request) string { return r.Model.APIBase + "\n" + r.Model.ID }

// gone is a model that could not be had.
type gone struct {
	until time.Time
	why   *llm.Error
}
