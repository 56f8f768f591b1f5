package llmtest

import (
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

// ServeHTTP answers requests through each interface, the list of models, /health, and POST /fake/release, which is
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
	case r.Method == http.MethodPost && r.URL.Path == ollamaPath:
		h.chat(w, r, forms[ollamaPath])
	case r.Method == http.MethodPost && forms[strings.TrimPrefix(r.URL.Path, h.script.Prefix)] != nil && strings.HasPrefix(r.URL.Path, h.script.Prefix):
		h.chat(w, r, forms[strings.TrimPrefix(r.URL.Path, h.script.Prefix)])
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
		r.Header.Get("Authorization") == "Bearer "+h.script.Key || r.Header.Get("Api-Key") == h.script.Key ||
		r.Header.Get("X-Api-Key") == h.script.Key
}

func (h *Handler) chat(w http.ResponseWriter, r *http.Request, with func(*delivery) form) {
	d := &delivery{Handler: h, w: w, r: r}
	d.form = with(d)
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		d.form.refuse(w, http.StatusBadRequest, "", "invalid_request_error", "read the body: "+err.Error())
		return
	}
	if err := json.Unmarshal(body, &d.req); err != nil {
		d.form.refuse(w, http.StatusBadRequest, "", "invalid_request_error", "the body is no JSON: "+err.Error())
		return
	}
	rec := Recorded{
		Method: r.Method, Path: r.URL.Path, Query: r.URL.RawQuery, Header: r.Header.Clone(),
		Body: body, Model: d.req.Model, Messages: d.req.messages(),
	}
	rec.Number = h.recordChat(rec)

	if !h.authorised(r) {
		d.form.refuse(w, http.StatusUnauthorized, "invalid_api_key", "invalid_request_error", "Incorrect API key provided")
		return
	}
	if field := h.rejected(body); field != "" {
		d.form.refuse(w, http.StatusBadRequest, "unsupported_parameter", "invalid_request_error",
			"Unsupported parameter: '"+field+"' is not supported with this model.")
		return
	}
	reply, ok := h.choose(rec.Messages)
	if !ok {
		d.form.refuse(w, http.StatusBadRequest, "script_exhausted", "invalid_request_error",
			fmt.Sprintf("the script has no reply for request %d", rec.Number))
		return
	}
	if complaint := reply.complaint(body); complaint != "" {
		h.change(func() { h.used[reply.Number] = false }) // it is for a request that fits
		d.form.refuse(w, cmp.Or(reply.Complains, http.StatusBadRequest), "", "invalid_request_error", complaint)
		return
	}
	d.reply, d.number, d.messages = reply, rec.Number, rec.Messages
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
