package llmtest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"
)

const maxBody = 64 << 20

// chatRequest is what the server wants to know of a request.
type chatRequest struct {
	Model         string `json:"model"`
	Stream        bool   `json:"stream"`
	StreamOptions *struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
	Messages []struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	} `json:"messages"`
	Tools []struct {
		Function struct {
			Name string `json:"name"`
		} `json:"function"`
	} `json:"tools"`
	ToolChoice json.RawMessage `json:"tool_choice"` // an object forces the tool that it names
}

// forced says whether the answer has to be a call of the first tool.
func (r chatRequest) forced() bool {
	return len(r.Tools) > 0 && bytes.HasPrefix(bytes.TrimSpace(r.ToolChoice), []byte("{"))
}

// ServeHTTP answers chat requests, the list of models, /health, and POST /fake/release, which is
// Release for a server in another process.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.Path == "/health":
		writeJSON(w, http.StatusOK, map[string]any{"status": "ok"})
	case r.URL.Path == "/fake/release" && r.Method == http.MethodPost:
		h.Release()
		writeJSON(w, http.StatusOK, map[string]any{"status": "ok"})
	case r.URL.Path == h.script.Prefix+"/models" && r.Method == http.MethodGet:
		h.record(Recorded{Method: r.Method, Path: r.URL.Path, Query: r.URL.RawQuery, Header: r.Header.Clone()})
		if !h.authorised(r) {
			writeError(w, http.StatusUnauthorized, "invalid_api_key", "", "Incorrect API key provided")
			return
		}
		h.models(w)
	case r.URL.Path == h.script.Prefix+"/chat/completions" && r.Method == http.MethodPost:
		h.chat(w, r)
	default:
		http.Error(w, "404 page not found", http.StatusNotFound)
	}
}

func (h *Handler) models(w http.ResponseWriter) {
	data := []map[string]any{}
	for _, m := range h.script.Models {
		data = append(data, map[string]any{"id": m, "object": "model", "owned_by": "script"})
	}
	writeJSON(w, http.StatusOK, map[string]any{"object": "list", "data": data})
}

func (h *Handler) authorised(r *http.Request) bool {
	return h.script.Key == "" ||
		r.Header.Get("Authorization") == "Bearer "+h.script.Key || r.Header.Get("Api-Key") == h.script.Key
}

func (h *Handler) chat(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		writeError(w, http.StatusBadRequest, "", "invalid_request_error", "read the body: "+err.Error())
		return
	}
	var req chatRequest
	if err := json.Unmarshal(body, &req); err != nil {
		writeError(w, http.StatusBadRequest, "", "invalid_request_error", "the body is no JSON: "+err.Error())
		return
	}
	rec := Recorded{
		Method: r.Method, Path: r.URL.Path, Query: r.URL.RawQuery, Header: r.Header.Clone(),
		Body: body, Model: req.Model,
	}
	for _, m := range req.Messages {
		rec.Messages = append(rec.Messages, Message{Role: m.Role, Content: content(m.Content)})
	}
	rec.Number = h.recordChat(rec)

	if !h.authorised(r) {
		writeError(w, http.StatusUnauthorized, "invalid_api_key", "invalid_request_error", "Incorrect API key provided")
		return
	}
	if field := h.rejected(body); field != "" {
		writeError(w, http.StatusBadRequest, "unsupported_parameter", "invalid_request_error",
			"Unsupported parameter: '"+field+"' is not supported with this model.")
		return
	}
	reply, ok := h.choose(rec.Messages)
	if !ok {
		writeError(w, http.StatusBadRequest, "script_exhausted", "invalid_request_error",
			fmt.Sprintf("the script has no reply for request %d", rec.Number))
		return
	}
	if complaint := reply.complaint(body); complaint != "" {
		h.change(func() { h.used[reply.Number] = false }) // it is for a request that fits
		writeError(w, cmp.Or(reply.Complains, http.StatusBadRequest), "", "invalid_request_error", complaint)
		return
	}
	d := &delivery{Handler: h, w: w, r: r, req: req, reply: reply, number: rec.Number}
	d.run()
}

// rejected returns the first field of the request that the script refuses.
func (h *Handler) rejected(body []byte) string {
	var fields map[string]json.RawMessage
	if json.Unmarshal(body, &fields) != nil {
		return ""
	}
	for _, f := range h.script.Reject {
		if _, ok := fields[f]; ok {
			return f
		}
	}
	return ""
}

// choose picks the reply: the first unused one whose match fits, else the next of those without.
func (h *Handler) choose(messages []Message) (Reply, bool) {
	last := ""
	for _, m := range slices.Backward(messages) {
		if m.Role == "user" {
			last = m.Content
			break
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, matched := range []bool{true, false} {
		for _, r := range h.script.Replies {
			if (r.Match != "") != matched || h.used[r.Number] || !strings.Contains(last, r.Match) {
				continue
			}
			h.used[r.Number] = !r.Repeat
			return r, true
		}
	}
	return Reply{}, false
}

// content joins the text of a message's content, which is a string or a list of parts.
func content(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var parts []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if json.Unmarshal(raw, &parts) != nil {
		return ""
	}
	var b strings.Builder
	for _, p := range parts {
		if p.Type == "text" {
			b.WriteString(p.Text)
		} else {
			fmt.Fprintf(&b, "[%s]", p.Type)
		}
	}
	return b.String()
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // a client that left needs no answer
}

func writeError(w http.ResponseWriter, status int, code, kind, message string) {
	e := map[string]any{"message": message}
	if code != "" {
		e["code"] = code
	}
	if kind != "" {
		e["type"] = kind
	}
	writeJSON(w, status, map[string]any{"error": e})
}

// pause waits, and reports false when the client or the server left first.
func (d *delivery) pause(t time.Duration) bool {
	if t <= 0 {
		return d.r.Context().Err() == nil
	}
	timer := time.NewTimer(t)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-d.r.Context().Done():
		return false
	case <-d.done:
		return false
	}
}
