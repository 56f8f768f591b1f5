package settings

import (
	"strings"
	"testing"

	"coauthor/agent/model"
)

// TestAWorkspaceChoosesAmongTheUsersModels tries names of models in the file of a workspace that nobody
// trusts, and in the settings of an editor that a repository can write.
func TestAWorkspaceChoosesAmongTheUsersModels(t *testing.T) {
	const mine = "models:\n  fast: {model: qwen, apiBase: 'http://127.0.0.1:9/v1'}\n  away: {model: deepseek/deepseek-chat}\n"
	for _, x := range []struct {
		what, user, env, name string
		want                  bool
	}{
		{"another provider, although its key is there", "model: gpt-4o", "OPENAI_API_KEY DEEPSEEK_API_KEY", "deepseek/deepseek-chat", false},
		{"the same by its bare name", "model: gpt-4o", "OPENAI_API_KEY DEEPSEEK_API_KEY", "deepseek-chat", false},
		{"the same by its alias", "model: gpt-4o", "OPENAI_API_KEY DEEPSEEK_API_KEY", "r1", false},
		{"a reseller", "model: gpt-4o", "OPENAI_API_KEY OPENROUTER_API_KEY", "openrouter/openai/gpt-4o", false},
		{"spaces do not hide it", "model: gpt-4o", "OPENAI_API_KEY DEEPSEEK_API_KEY", " DeepSeek/deepseek-chat ", false},
		{"another model of the same provider", "model: gpt-4o", "OPENAI_API_KEY", "gpt-4.1", true},
		{"a server on this machine that the user does not use", "model: gpt-4o", "OPENAI_API_KEY", "ollama/qwen", false},
		{"an entry of the user's", "model: gpt-4o\n" + mine, "OPENAI_API_KEY", "fast", true},
		{"an entry of the user's at another provider", "model: gpt-4o\n" + mine, "OPENAI_API_KEY", "away", true},
		{"the wire name of that entry is no entry", "model: gpt-4o\n" + mine, "OPENAI_API_KEY DEEPSEEK_API_KEY", "deepseek/deepseek-reasoner", false},
		{"whatever the user's endpoint runs", "model: a\napiBase: http://127.0.0.1:1", "DEEPSEEK_API_KEY", "b", true},
		{"even by a provider's name", "model: a\napiBase: http://127.0.0.1:1", "DEEPSEEK_API_KEY", "deepseek/deepseek-chat", true},
		{"a provider whose key is there, where nothing is chosen", "", "DEEPSEEK_API_KEY OPENAI_API_KEY", "deepseek-chat", true},
		{"a provider without a key", "", "OPENAI_API_KEY", "deepseek-chat", false},
		{"a server on this machine, where nothing is chosen", "", "", "ollama/qwen", true},
		{"the provider of the weak model", "model: gpt-4o\nmodel.weak: deepseek-chat", "OPENAI_API_KEY DEEPSEEK_API_KEY", "deepseek-reasoner", true},
		{"an unknown name", "model: gpt-4o", "OPENAI_API_KEY", "nobody-knows-it", false},
	} {
		env := func(n string) string {
			if strings.Contains(x.env, n) && n != "" {
				return "key"
			}
			return ""
		}
		for _, key := range []string{"model", "model.name", "model.weak", "model.editor"} {
			field := func(s Settings) string {
				return map[string]string{"model": s.Model, "model.name": s.Model, "model.weak": s.WeakModel, "model.editor": s.EditorModel}[key]
			}
			without, _ := Load(LoadOptions{Env: env, UserFile: []byte(x.user)})
			inFile, told := Load(LoadOptions{Env: env, UserFile: []byte(x.user), WorkspaceFile: []byte(key + ": \"" + x.name + "\"")})
			inClient, toldToo := Load(LoadOptions{Env: env, UserFile: []byte(x.user), Client: map[string]any{key: x.name}})
			trusted, _ := Load(LoadOptions{Env: env, UserFile: []byte(x.user), WorkspaceFile: []byte(key + ": \"" + x.name + "\""), Trusted: true})
			want := field(without)
			if x.want {
				want = x.name
			}
			if field(inFile) != want || field(inClient) != want || field(trusted) != x.name {
				t.Errorf("%s: %s is %q from the file, %q from the client, %q trusted", x.what, key, field(inFile), field(inClient), field(trusted))
			}
			if (len(told) == 0) != x.want || (len(toldToo) == 0) != x.want {
				t.Errorf("%s: warnings %v and %v", x.what, told, toldToo)
			}
		}
	}
}

// TestKeysStayWithTheirHosts looks at which key an endpoint gets that is not the user's word, even in a
// trusted workspace.
func TestKeysStayWithTheirHosts(t *testing.T) {
	for _, x := range []struct {
		what, user, workspace, client, key string
		headers                            bool
	}{
		{"OpenAI's key", "model: gpt-4o", "", "https://evil.example", "", false},
		{"the key for the user's endpoint", "model: gpt-4o\napiBase: https://mine.example\napiKeyEnv: MINE", "", "https://evil.example", "", false},
		{"that for the same host", "model: gpt-4o\napiBase: https://mine.example/v1\napiKeyEnv: MINE", "", "https://mine.example/v2", "MINE", false},
		{"the key of a model of the user's", "model: m\nmodels: {m: {model: gpt-4o, apiKeyEnv: MINE, headers: {X-Api-Key: secret}}}", "", "https://evil.example", "", false},
		{"that at its own host", "model: m\nmodels: {m: {model: gpt-4o, apiKeyEnv: MINE, headers: {X-Api-Key: secret}}}", "", "https://api.openai.com/v1", "MINE", true},
		{"a host that only looks the same", "model: gpt-4o", "", "https://api.openai.com@evil.example/v1", "", false},
		{"a key from there", "model: gpt-4o", "", "https://theirs.example THEIRS", "THEIRS", false},
		{"the workspace's file", "model: gpt-4o\napiKeyEnv: MINE", "apiBase: https://evil.example", "", "", false},
	} {
		client := map[string]any{}
		base, key, _ := strings.Cut(x.client, " ")
		if base != "" {
			client["apiBase"] = base
		}
		if key != "" {
			client["apiKeyEnv"] = key
		}
		s, _ := Load(LoadOptions{UserFile: []byte(x.user), WorkspaceFile: []byte(x.workspace), Client: client, Trusted: true})
		c, err := model.Load(nil)
		if err != nil {
			t.Fatal(err)
		}
		p := s.Profile(c, "")
		if p.APIKeyEnv != x.key || (len(p.Headers) > 0) != x.headers {
			t.Errorf("%s: %s gets the key %q and the headers %v", x.what, p.APIBase, p.APIKeyEnv, p.Headers)
		}
		if base != "" && p.APIBase != base {
			t.Errorf("%s: the endpoint is %s", x.what, p.APIBase)
		}
	}
}

// TestTheUsersOwnLayersBindTheKey: what the user wrote goes on working, wherever they wrote it.
func TestTheUsersOwnLayersBindTheKey(t *testing.T) {
	env := func(n string) string { return map[string]string{"COAUTHOR_API_BASE": "https://env.example"}[n] }
	for _, x := range []struct {
		what string
		o    LoadOptions
		want string
	}{
		{"the flag", LoadOptions{UserFile: []byte("apiKeyEnv: MINE"), Flags: map[string]string{"apiBase": "https://x.example"}}, "MINE"},
		{"the environment", LoadOptions{UserFile: []byte("apiKeyEnv: MINE"), Env: env}, "MINE"},
		{"an editor that only the user configures", LoadOptions{UserFile: []byte("apiKeyEnv: MINE"), Client: map[string]any{"apiBase": "https://x.example"}, ClientOwn: true}, "MINE"},
		{"the user's word over the workspace's", LoadOptions{UserFile: []byte("apiKeyEnv: MINE"), WorkspaceFile: []byte("apiBase: https://evil.example"), Trusted: true,
			Flags: map[string]string{"apiBase": "https://x.example"}}, "MINE"},
	} {
		s, _ := Load(x.o)
		c, err := model.Load(nil)
		if err != nil {
			t.Fatal(err)
		}
		if p := s.Profile(c, "gpt-4o"); p.APIKeyEnv != x.want {
			t.Errorf("%s: %s gets %q", x.what, p.APIBase, p.APIKeyEnv)
		}
	}
}
