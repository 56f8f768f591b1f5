package workspace

import (
	"fmt"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// denied are files whose content does not leave the machine without consent. Like all globs here
// they are matched without regard to case, at any depth.
var denied = []string{
	".env", ".env.*", "*.pem", "*.key", "id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*", "*.p12", "*.pfx",
	"*.kdbx", ".netrc", "_netrc", "credentials", "credentials.*", "secrets.*", "*.tfstate", "*.tfstate.*",
	".npmrc", ".pypirc", ".git-credentials", ".htpasswd", ".git/**", ".ssh/**", ".gnupg/**", ".aws/**",
}

// protected are files that can run code or decide what we may do: editing them needs consent.
var protected = []string{
	".git", ".git/**", "git~1", "git~1/**", ".hg/**", ".svn/**", ".gitmodules",
	".vscode/**", ".idea/**", ".zed/**", ".helix/**", ".nvim.lua", ".nvimrc", ".exrc", ".vimrc", ".dir-locals.el",
	".envrc", ".env", ".env.*", ".husky/**", ".githooks/**",
	".github/workflows/**", ".github/actions/**", ".gitlab-ci.yml", ".circleci/**", "jenkinsfile", ".pre-commit-config.yaml",
	".coauthor/**", ".coauthorignore", ".aiderignore", ".gitignore",
	".ssh/**", ".gnupg/**", "*.pem", "*.key", "id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*", ".npmrc", ".pypirc", ".netrc",
}

// ignoreFiles are read at all levels, the later ones on top of the earlier.
var ignoreFiles = []string{".gitignore", ".aiderignore", ".coauthorignore"}

type rules struct{ deny, protect []string }

func newRules(o Options) (rules, error) {
	deny, err := globs(denied, o.DenyGlobs)
	if err != nil {
		return rules{}, err
	}
	protect, err := globs(protected, o.ProtectedGlobs)
	return rules{deny, protect}, err
}

func globs(lists ...[]string) ([]string, error) {
	var out []string
	for _, list := range lists {
		for _, glob := range list {
			glob = "**/" + strings.TrimPrefix(strings.ToLower(glob), "/")
			if !doublestar.ValidatePattern(glob) {
				return nil, fmt.Errorf("the pattern %q is malformed", glob)
			}
			out = append(out, glob)
		}
	}
	return out, nil
}

func (r rules) denies(path string) string {
	if glob := match(r.deny, path); glob != "" {
		return path + " may hold secrets (" + glob + "); it is sent only with your consent"
	}
	return ""
}

func (r rules) protects(path string) string {
	if glob := match(r.protect, path); glob != "" {
		return path + " is protected (" + glob + "); it is changed only with your consent"
	}
	return ""
}

// match returns the first glob that fits. Folding counts: on many disks .GIT is .git.
func match(globs []string, path string) string {
	path = strings.ToLower(strings.Map(visible, path))
	for _, glob := range globs {
		if ok, err := doublestar.Match(glob, path); err == nil && ok {
			return strings.TrimPrefix(glob, "**/")
		}
	}
	return ""
}

// visible drops the characters that macOS leaves out when it compares names.
func visible(r rune) rune {
	switch {
	case r >= 0x200B && r <= 0x200F, r >= 0x202A && r <= 0x202E, r >= 0x2060 && r <= 0x206F, r == 0xFEFF:
		return -1
	}
	return r
}
