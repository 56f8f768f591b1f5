package versus

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

const modelName = "scripted"

// coauthor is this project's own program.
type coauthor struct{ binary string }

func (coauthor) Name() string { return "coauthor" }

func (p coauthor) Command(ctx context.Context, c Case, url, home string) (*exec.Cmd, error) {
	args := []string{"edit", "--yes", "--model", modelName, "--api-base", url + "/v1", "--format", c.Format, "-m", c.Request}
	cmd := exec.CommandContext(ctx, p.binary, append(args, c.Files...)...)
	cmd.Env = environment(home, "XDG_STATE_HOME="+home, "XDG_CACHE_HOME="+home, "XDG_CONFIG_HOME="+home)
	return cmd, nil
}

// Aider is an installed aider.
type Aider struct{ python string }

// ErrNoAider says that aider is not installed.
var ErrNoAider = errors.New("aider is not installed")

// FindAider returns the aider that the scripts of cmd/bench use. env is the text of aider_env.py, which
// knows where that is; with install it is installed first if need be.
func FindAider(ctx context.Context, env string, install bool) (*Aider, error) {
	args := []string{"-"}
	if !install {
		args = append(args, "--installed")
	}
	cmd := exec.CommandContext(ctx, "python3", args...)
	var out bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(env), &out, os.Stderr
	err := cmd.Run()
	python := strings.TrimSpace(out.String())
	switch {
	case !install && (err != nil || python == ""):
		return nil, ErrNoAider
	case err != nil:
		return nil, fmt.Errorf("install aider: %w", err)
	}
	return &Aider{python}, nil
}

// Name implements Program.
func (*Aider) Name() string { return "aider" }

// Command implements Program. It switches off what has nothing to do with the answers: commits, which ask the
// model for their message, news, colours, and the offer to run commands. It need not fetch prices of models.
func (p *Aider) Command(ctx context.Context, c Case, url, home string) (*exec.Cmd, error) {
	caches := filepath.Join(home, ".aider", "caches")
	if err := os.MkdirAll(caches, 0o755); err != nil {
		return nil, err
	}
	prices := fmt.Sprintf(`{"openai/%s": {"max_input_tokens": 128000, "litellm_provider": "openai", "mode": "chat"}}`, modelName)
	for _, name := range []string{"model_prices_and_context_window.json", "openrouter_models.json"} {
		if err := os.WriteFile(filepath.Join(caches, name), []byte(prices), 0o600); err != nil {
			return nil, err
		}
	}
	args := []string{"-m", "aider", "--model", "openai/" + modelName, "--openai-api-base", url + "/v1", "--openai-api-key", "none",
		"--edit-format", c.Format, "--message", c.Request, "--yes-always", "--no-auto-commits", "--no-dirty-commits", "--no-gitignore",
		"--no-check-update", "--no-analytics", "--no-show-release-notes", "--no-show-model-warnings", "--no-suggest-shell-commands",
		"--no-detect-urls", "--no-pretty", "--no-fancy-input"}
	cmd := exec.CommandContext(ctx, p.python, append(args, c.Files...)...)
	cmd.Env = environment(home, "PYTHONHASHSEED=0", "LITELLM_LOCAL_MODEL_COST_MAP=True")
	return cmd, nil
}

// environment is the caller's without the settings of either program.
func environment(home string, more ...string) []string {
	var list []string
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "COAUTHOR_") && !strings.HasPrefix(kv, "AIDER_") && !strings.HasPrefix(kv, "OPENAI_") {
			list = append(list, kv)
		}
	}
	return append(append(list, "HOME="+home), more...)
}

// seconds is a time for the table.
func seconds(d time.Duration) string { return fmt.Sprintf("%.2f", d.Seconds()) }
