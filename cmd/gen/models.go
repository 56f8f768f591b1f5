package main

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"coauthor/agent/model"
	"coauthor/agent/prompt"
)

// modelsDoc writes what is known of models and of those who serve them.
func modelsDoc() []byte {
	c, err := model.Load(nil)
	if err != nil {
		panic(err) // the table is part of the program, and its own test reads it
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Models\n\n<!-- %s -->\n\n", notice)
	b.WriteString(`Any server that speaks OpenAI's chat interface, its Responses, or the interface of Anthropic or Ollama will do: set ` + "`model` and `apiBase`" + ` ([SETTINGS.md](SETTINGS.md)).
This page lists what coauthor knows without being told. ` + "`coauthor models`" + ` prints the same for your
settings, with what your endpoint offers; ` + "`coauthor models PATTERN`" + ` looks for a name.

## Where they answer

A name like ` + "`groq/NAME`" + ` chooses the endpoint by the part before the slash. The key is read from the
variable; it goes to that host alone.

| prefix | endpoint | key in |
|---|---|---|
`)
	for _, p := range c.Providers() {
		at := "`" + p.APIBase + "`"
		if p.BaseEnv != "" {
			at = "the address in `" + p.BaseEnv + "`, and `" + p.BasePath + "` behind it"
		}
		key := "needs none"
		if p.APIKeyEnv != "" {
			key = "`" + p.APIKeyEnv + "`"
		}
		fmt.Fprintf(&b, "| `%s/` | %s | %s |\n", p.Provider, at, key)
	}
	b.WriteString(`
- *Servers on this machine* (` + "`" + strings.Join(local(c), "`, `") + "`" + `) are expected at their usual ports; for another
  one set ` + "`apiBase`" + `. Set ` + "`contextWindow`" + ` of the model to what the server was started with: nobody else knows it.
- *GitHub Models* wants a token with the right ` + "`models: read`" + `, and names such as ` + "`github/openai/gpt-4.1`" + `.
- *Azure*: ` + "`azure/NAME`" + ` with the name of your deployment; the sizes are those of the model whose name it has.
- *OpenAI* and *Azure* serve models whose names have ` + "`-pro` or `-codex`" + ` through their Responses interface alone, and from
  5.4 on take tools beside reasoning nowhere else. Coauthor asks those through it, at these two and at no other
  server; ` + "`api: responses`" + ` or ` + "`api: chat`" + ` of a model in the setting ` + "`models`" + ` says otherwise.
- *OpenAI* streams some models to verified organizations alone. To others they answer in one piece, after a wait: that is found
  out with the first request, and told. ` + "`streaming: false`" + ` of a model spares that request.
- *Fireworks*: names are long there, such as ` + "`fireworks_ai/accounts/fireworks/models/deepseek-v3p1`" + `.
- *Anthropic* is asked through its own interface, with marks for its cache, and its thinking goes back beside the
  calls of tools; a gateway that speaks it as well takes ` + "`api: anthropic`" + `.
- *Ollama* is asked through its own interface: each request says how large a window it and its answer need, at least 16384
  tokens and never more than ` + "`contextWindow`" + ` of the model, since what does not fit into the window is dropped there without a
  word. The size doubles, so that the model is seldom loaded anew. ` + "`extraBody: {options: {num_ctx: 32768}}`" + ` of the model sets
  another one. Set ` + "`apiBase`" + ` beside the name ` + "`ollama/NAME`" + ` for an Ollama elsewhere; a server that lacks this interface is asked
  through chat.
- *Amazon Bedrock and Google Vertex AI* sign their requests in ways of their own, which coauthor does not speak.
  They work only through a gateway that speaks OpenAI's chat interface, such as LiteLLM's proxy: set ` + "`apiBase`" + `
  to the gateway and ` + "`model`" + ` to the name that it gives the model.

## Without a choice

While ` + "`model`" + ` is not set, the first of these whose key is in the environment is taken:

`)
	for i, p := range c.Defaults() {
		fmt.Fprintf(&b, "%d. `%s` (`%s`)\n", i+1, p.Name, p.APIKeyEnv)
	}
	b.WriteString("\n## Short names\n\n| alias | stands for |\n|---|---|\n")
	aliases := c.Aliases()
	for _, name := range slices.Sorted(maps.Keys(aliases)) {
		fmt.Fprintf(&b, "| `%s` | `%s` |\n", name, aliases[name])
	}
	b.WriteString("\n")
	older := c.OlderAliases()
	for i, name := range slices.Sorted(maps.Keys(older)) {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "`%s` (`%s`)", name, older[name])
	}
	b.WriteString(" are understood, too, and offered nowhere.\n")
	b.WriteString("\nThe setting `model.aliases` adds your own.\n\n## What is known of each\n\n")
	b.WriteString(`Window and answer are in tokens, prices in US dollars for a million tokens: of the prompt, of the answer, of
what is read from the provider's cache, of what is written to it. They hold as of the day in the last column
and change; a price is that of the maker's own endpoint. The first row that fits the last part of a name
counts; ` + "`*`" + ` stands for anything, ` + "`?`" + ` for one character.

| model | at | window | answer | edits | price | as of |
|---|---|---|---|---|---|---|
`)
	for _, r := range c.Rows() {
		p := r.Profile
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | `%s` | %s | %s |\n", strings.Join(r.Names, "`, `"), p.Provider,
			tokens(p.ContextWindow), tokens(p.MaxOutput), p.EditFormat, prices(p.Price), p.Checked)
	}
	fmt.Fprintf(&b, "\nA model whose name says that it has %d billion parameters or fewer (`:%[1]db`, `-1.5b`) gets no tools to look around with:\nit would make up what it finds. `tools: native` in its entry of the setting `models` gives them to it.\n", model.Smallest)
	b.WriteString("\nOf a model with a price for what is read from the cache, the provider keeps prompts by itself, or, at Anthropic, those that coauthor\nmarks. It helps where a prompt begins as the last one did, and prompts are made so: what seldom changes stands first, and the map\nof the repository stays where it was while it serves (`repoMap.refresh`). `model.cacheKeepalivePings` is for caches with marks.\n")
	b.WriteString("\n## When a prompt is too large\n\nWhat does not fit into the window beside an answer is left out, the first of this list first, and no more than has to be. You are told\nwhat it was. Nothing else is ever left out for that: where your request, your rules and the files of the chat alone are too large, you\nare asked. `/clear` ends the conversation, `/drop` takes a file out of the chat, and a model with a larger window takes all of it.\n\n")
	for i, what := range prompt.Expendable() {
		fmt.Fprintf(&b, "%d. %s\n", i+1, what)
	}
	b.WriteString("\nTwo things are measured before: open documents that you did not name go along up to half of the room, and rules up to 32 KiB.\n")
	b.WriteString("\n## Put it right\n\nCorrect what is wrong or out of date in your own settings file, under the model's name:\n\n```yaml\n" + corrected + "```\n")
	return b.Bytes()
}

// corrected is read by the test, so it cannot be wrong.
const corrected = `models:
  claude-sonnet-4-5:
    contextWindow: 1000000
    price: {in: 3, out: 15, cacheRead: 0.3, cacheWrite: 3.75}
    checked: 2026-11-01
model.aliases:
  fast: gemini-2.5-flash
`

func local(c *model.Catalog) []string {
	var names []string
	for _, p := range c.Providers() {
		if p.Local && p.Provider != "local" {
			names = append(names, p.Provider+"/")
		}
	}
	return names
}

func tokens(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func prices(p model.Price) string {
	if p == (model.Price{}) {
		return ""
	}
	var parts []string
	for _, n := range []float64{p.In, p.Out, p.CacheRead, p.CacheWrite} {
		text := ""
		if n > 0 {
			text = strconv.FormatFloat(n, 'f', -1, 64)
		}
		parts = append(parts, cmp.Or(text, "-"))
	}
	for len(parts) > 2 && parts[len(parts)-1] == "-" {
		parts = parts[:len(parts)-1]
	}
	return strings.Join(parts, " / ")
}
