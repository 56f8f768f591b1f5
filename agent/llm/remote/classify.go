package remote

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	"coauthor/agent/llm"
	"coauthor/agent/llm/wire"
	"coauthor/agent/model"
)

var tooLong = regexp.MustCompile(`(?i)context[ _-]?(length|size|window|limit)|maximum context|prompt is too long|` +
	`too many (input )?tokens|exceeds? the (model's )?(maximum|available)|input is too long|reduce the length`)

// answered makes an Error of an answer with a failure status, or of an error object in a stream.
func (c *call) answered(status int, header http.Header, body []byte) *llm.Error {
	se, known := wire.ParseServerError(body)
	if code, err := strconv.Atoi(se.Code); err == nil && code >= 400 && code < 600 && status < 400 {
		status = code // an error object in a stream carries the status that no longer fits the head
	}
	said := shorten(c.secrets.redact(se.Message), 300)
	if !known {
		said = shorten(c.secrets.redact(wire.StripTags(string(body))), 160)
	}
	e := &llm.Error{Status: status, Err: fmt.Errorf("status %d: %s", status, wire.OrElse(said, "no message"))}
	suffix := "."
	if said != "" {
		suffix = ": " + strings.TrimRight(said, ".") + "."
	}
	e.Kind = kindOf(status, se, known)
	e.Field, e.Said = refusedField(se), said
	e.RetryAfter = askedToWait(header, se, e.Kind == llm.RateLimit, c.client.o.Clock())
	if toolsRefused(c.request, status, se) {
		e.NoTools, e.Kind = true, llm.BadRequest
	}
	switch e.Kind {
	case llm.TooLong:
		e.Message = "The prompt is too long for " + c.model() + suffix
		e.Advice = "Close documents that you do not need, lower repoMap.tokens, or choose a model with a larger context window."
		if c.ep.local {
			e.Advice = "Start the server with a larger context window, close documents that you do not need, or lower repoMap.tokens."
		}
	case llm.Auth:
		e.Message = c.ep.host + " refused the API key" + suffix
		if c.secret == "" {
			e.Message = c.ep.host + " requires an API key, and none was sent" + suffix
		}
		e.Advice = c.keyAdvice(status)
	case llm.RateLimit:
		e.Message = c.ep.host + " is not accepting more requests at the moment" + suffix
		e.Advice = waitAdvice(e.RetryAfter)
		if status == http.StatusPaymentRequired || se.Has("insufficient_quota", "insufficient credits", "insufficient balance", "credit balance", "billing") {
			e.Message = "The account at " + c.ep.host + " has no credit left" + suffix
			e.Advice = "Add credit, or choose another model."
			e.Kind, e.Unpaid = llm.Refused, true // waiting does not help
		}
	case llm.NotFound:
		e.Message = "The model " + quote(c.request.Model.ID) + " was not found at " + c.ep.host + suffix
		e.Advice = "Check the model setting. `coauthor models` lists the models of this endpoint."
		if !known || !se.Has("model", "endpoints", "item with id") {
			e.PathMissing = true
			e.Message = "The server does not support " + redactURL(c.url()) + suffix
			e.Advice = "Check the apiBase setting: it must contain everything before " + pathOf(c.body.Api) + ", and usually ends in /v1."
			if c.body.Api != model.Chat {
				e.Advice += " If the server does not support this API, set api: chat for this model in models."
			}
		}
	case llm.Overloaded:
		e.Message = fmt.Sprintf("%s reported a server error (status %d)%s", c.ep.host, status, suffix)
		e.Advice = "Try again in a moment. If it happens again, check the provider's status page or choose another model."
		if c.ep.local {
			e.Advice = "Try again in a moment. If it happens again, check the log of your local server."
		}
	case llm.Refused:
		e.Message = c.ep.host + " refused the request" + suffix
		e.Advice = "Rephrase the request, or choose another model."
	case llm.NoKey, llm.Network, llm.Timeout, llm.BadStream, llm.BadRequest, llm.Canceled:
		e.Message = fmt.Sprintf("%s rejected the request (status %d)%s", c.ep.host, status, suffix)
		e.Advice = "Check this model's settings, or choose another model. `coauthor doctor` tests the endpoint."
	}
	return e
}

// kindOf sorts a refusal into its class.
func kindOf(status int, se wire.ServerError, known bool) llm.ErrorKind {
	long := se.Has("context_length_exceeded", "exceed_context_size") || known && tooLong.MatchString(se.Message)
	switch {
	case long && status != http.StatusTooManyRequests && status < 500:
		return llm.TooLong
	case status == http.StatusRequestEntityTooLarge:
		return llm.TooLong
	case se.Has("content_policy", "content_filter", "content_management", "data_inspection"):
		return llm.Refused
	case status == http.StatusUnauthorized, status == http.StatusForbidden, se.Has("invalid_api_key"):
		return llm.Auth
	case status == http.StatusTooManyRequests, status == http.StatusPaymentRequired, se.Has("credit balance is too low"),
		status < 400 && se.Has("rate_limit", "rate limit", "insufficient_quota"):
		return llm.RateLimit
	case status == http.StatusNotFound, status == http.StatusMethodNotAllowed, se.Has("model_not_found"):
		return llm.NotFound
	case status == http.StatusRequestTimeout, status == http.StatusTooEarly, status == http.StatusConflict,
		status >= 500, status < 400 && se.Has("overloaded", "server_error", "internal", "timeout", "unavailable"):
		return llm.Overloaded
	case status < 400:
		return llm.BadStream
	}
	return llm.BadRequest
}

func (c *call) keyAdvice(status int) string {
	const another = ", or set apiKeyEnv to another variable."
	name, by := c.request.Model.APIKeyEnv, c.client.o.Starter
	switch {
	case c.request.Model.APIKeyCommand != "":
		return "Check that the command in apiKeyCommand prints a valid key for this server."
	case name == "":
		return c.client.o.keptBack(c.request.Model, c.ep) + "Set apiKeyEnv to the name of the environment variable that contains the key." + by.setUp()
	case c.secret == "":
		return by.set(name, " to a key for this server") + another + by.setUp()
	case status == http.StatusForbidden:
		return "Check that the key in the environment variable " + name + " has access to this model. " + by.set(name, " to a key with access") + another + by.setUp()
	}
	return by.set(name, " to a valid key") + another + by.setUp()
}

func waitAdvice(d time.Duration) string {
	if d > 0 {
		return "Try again in " + d.Round(time.Second).String() + ", or choose another model."
	}
	return "Try again in a minute, or choose another model."
}

// failed makes an Error of a call that got no (further) answer.
func (c *call) failed(ctx context.Context, err error) *llm.Error {
	e := &llm.Error{Kind: llm.Network, Err: errors.New(c.secrets.redact(err.Error()))}
	var own *llm.Error
	var dns *net.DNSError
	var netErr net.Error
	var certificate *tls.CertificateVerificationError
	var op *net.OpError
	switch {
	case errors.As(context.Cause(ctx), &own):
		return own // one of our own clocks ran out
	case ctx.Err() != nil:
		return canceled(context.Cause(ctx))
	case errors.As(err, &own):
		return own // a refusal of our transport
	case errors.As(err, &op) && op.Op == "proxyconnect":
		e.Message = "Cannot reach the proxy for " + c.ep.host + ": " + shorten(c.secrets.redact(rootCause(err)), 200) + "."
		e.Advice = "Check the network.proxy setting. If it is not set, check the HTTPS_PROXY and HTTP_PROXY variables."
		e.Hopeless = errors.Is(err, syscall.ECONNREFUSED)
	case errors.As(err, &dns):
		e.Message = "Cannot find the host " + quote(c.ep.base.Hostname()) + "."
		e.Advice = "Check the apiBase setting and the network connection."
		e.Hopeless = !dns.IsTimeout && !dns.IsTemporary
	case errors.As(err, &certificate):
		e.Message = "The certificate of " + c.ep.host + " is not trusted: " + shorten(certificate.Error(), 200) + "."
		e.Advice = "Check the apiBase setting and this machine's clock. If the server or a proxy uses a private certificate, set network.caFile to its file."
		e.Hopeless = true
	case errors.Is(err, syscall.ECONNREFUSED):
		e.Hopeless = true
		e.Message = "No server is listening at " + c.ep.host + "."
		e.Advice = "Check the apiBase setting and the network connection."
		if c.ep.local {
			e.Advice = "Start the local model server, or correct the apiBase setting."
		}
	case errors.As(err, &netErr) && netErr.Timeout():
		e.Message = "The connection to " + c.ep.host + " timed out."
		e.Advice = "Check the network connection and the proxy, or try again later."
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET),
		errors.Is(err, syscall.EPIPE):
		e.Message = c.ep.host + " closed the connection without an answer."
		e.Advice = "Try again. If it happens again, check the server's log."
	default:
		e.Message = "The connection to " + c.ep.host + " failed: " + shorten(c.secrets.redact(rootCause(err)), 200) + "."
		e.Advice = "Check the apiBase setting, the network connection and the proxy."
	}
	return e
}

func canceled(cause error) *llm.Error {
	if errors.Is(cause, context.DeadlineExceeded) {
		return &llm.Error{
			Kind: llm.Timeout, Err: context.DeadlineExceeded,
			Message: "The request reached its time limit.",
			Advice:  "Try again, or raise network.requestTimeout.",
		}
	}
	return &llm.Error{Kind: llm.Canceled, Message: "The request was canceled.", Err: context.Canceled}
}

// rootCause drops the layers that repeat method and URL.
func rootCause(err error) string {
	for {
		next := errors.Unwrap(err)
		if next == nil {
			return err.Error()
		}
		err = next
	}
}

// transient reports whether the same request may succeed a little later.
func transient(e *llm.Error) bool {
	if e.Hopeless {
		return false
	}
	switch e.Kind {
	case llm.RateLimit, llm.Overloaded:
		return true
	case llm.Network, llm.BadStream: // only asked before the first token: the connection broke early
		return true
	case llm.NoKey, llm.Auth, llm.NotFound, llm.TooLong, llm.Refused, llm.Timeout, llm.BadRequest, llm.Canceled:
		return false
	}
	return false
}
