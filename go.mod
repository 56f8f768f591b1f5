module coauthor

go 1.26.0

require (
	charm.land/bubbletea/v2 v2.1.1 // keys and the moving part of a terminal; cmd/coauthor/chat alone
	github.com/JohannesKaufmann/html-to-markdown/v2 v2.5.2 // pages of the web as Markdown; agent/mention alone
	github.com/alecthomas/chroma/v2 v2.27.0 // names in languages without a grammar; 297 lexers, well kept
	github.com/alecthomas/kong v1.17.0 // the command line: sub-commands from struct tags, no run-time dependencies
	github.com/andybalholm/cascadia v1.3.5 // selectors of CSS, for what a page hides; agent/mention alone
	github.com/bmatcuk/doublestar/v4 v4.10.4 // globs with ** in settings
	github.com/charmbracelet/x/ansi v0.11.9 // how wide a text is on a terminal, and where its looks are; cmd/coauthor/chat alone
	github.com/charmbracelet/x/vt v0.1.0 // tests: what stands on a screen
	github.com/creack/pty v1.1.24 // tests: commands on a real pseudo-terminal
	github.com/goccy/go-yaml v1.19.2 // settings and tables; says where a mistake stands
	github.com/google/go-cmp v0.7.0 // tests: readable differences
	github.com/joho/godotenv v1.5.1 // the syntax of files of variables; cmd alone
	github.com/pelletier/go-toml/v2 v2.4.3 // gpt-engineer's files; agent/pipeline alone
	github.com/rogpeppe/go-internal v1.16.0 // txtar: scripts of models and test cases
	github.com/sashabaranov/go-openai v1.43.0 // the OpenAI protocol; agent/llm/openai alone
	github.com/sergi/go-diff v1.4.0 // the one diff; edits alone
	github.com/smacker/go-tree-sitter v0.0.0-20240827094217-dd81d9e9be82 // grammars; repomap/syntax alone
	github.com/tdewolff/parse/v2 v2.8.20 // the syntax of CSS; agent/mention alone
	github.com/tiktoken-go/tokenizer v0.10.0 // token counts, offline
	github.com/yuin/goldmark v1.8.7 // what is a link and what a listing in answers, as CommonMark reads them; lsp/review and cmd/coauthor/chat
	go.lsp.dev/jsonrpc2 v1.0.1 // the connection; routing is ours (lsp/rpc.go)
	go.lsp.dev/protocol v1.0.1 // LSP types; name the version, the newest tag is an old one
	go.lsp.dev/uri v1.0.1 // goes with protocol v1
	golang.org/x/net v0.61.0 // HTML and its encodings; which hosts go without a proxy
	golang.org/x/sys v0.49.0 // namespaces, mounts and limits of checks; the language of Windows
	golang.org/x/term v0.47.0 // whether a stream is a terminal, and how wide; cmd alone
	golang.org/x/text v0.43.0 // encodings by name, UTF-16
)

require (
	github.com/JohannesKaufmann/dom v0.3.1 // indirect
	github.com/charmbracelet/colorprofile v0.4.3 // indirect
	github.com/charmbracelet/ultraviolet v0.0.0-20261008173134-6b8d4baf91b4 // indirect
	github.com/charmbracelet/x/exp/ordered v0.1.0 // indirect
	github.com/charmbracelet/x/term v0.2.2 // indirect
	github.com/charmbracelet/x/termios v0.1.1 // indirect
	github.com/charmbracelet/x/windows v0.2.2 // indirect
	github.com/clipperhouse/displaywidth v0.11.0 // indirect
	github.com/clipperhouse/uax29/v2 v2.7.0 // indirect
	github.com/dlclark/regexp2/v2 v2.5.1 // indirect
	github.com/go-json-experiment/json v0.0.0-20260623181947-01eb4420fa68 // indirect
	github.com/lucasb-eyer/go-colorful v1.4.1 // indirect
	github.com/mattn/go-runewidth v0.0.30 // indirect
	github.com/muesli/cancelreader v0.2.2 // indirect
	github.com/rivo/uniseg v0.4.7 // indirect
	github.com/xo/terminfo v1.0.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/tools v0.52.0 // indirect
)
