package workspace

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/cases"
)

// denied are files whose content does not leave the machine without consent. Like all globs here
// they are matched without regard to case, at any depth.
var denied = []string{
	// Variables of programs.
	".env", ".env.*", ".env-*", ".env_*", "*.env", ".env~", "*.env~", ".envrc~", "#.env#", ".#.env", ".envrc", ".envrc.*", ".direnv/**", ".flaskenv", "local.settings.json",
	// Keys and their stores.
	"*.pem", "*.key", "*.ppk", "*.p8", "*.p12", "*.pfx", "*.pkcs12", "*.jks", "*.jceks", "*.keystore", "*.bks", "*.agekey",
	"*.pem~", "*.key~", "*.pem.bak", "*.key.bak", "*.pem.old", "*.key.old", "*private*.asc", "*secret*.asc", "id_*", "*.kdbx", "*.kdb", "*.psafe3", "*.gpg", "*.pgp", "secring.*", "*.ovpn", "*.mobileprovision", "*.publishsettings",
	".ssh/**", ".gnupg/**", ".password-store/**",
	// Names and passwords.
	".netrc", "_netrc", ".pgpass", "pgpass.conf", ".my.cnf", ".mylogin.cnf", ".htpasswd", ".git-credentials",
	"credentials*", "*.credentials", "*_credentials.json", "secrets.*", "*.secret", "*.secrets", ".secrets", ".secrets.*", ".secrets/**", "secrets/**", "secrets", "secret",
	"secret.y*ml", "secret.json", "secret.toml", "secret.txt", "secret.ini", "secret.conf", "secret.properties", "secret.xml",
	"*-secret.y*ml", "*_secret.y*ml", "*-secrets.y*ml", "*_secrets.y*ml", "*.secret.y*ml", "*.secrets.y*ml",
	".vault-token", ".vault_pass*", ".vault-pass*", "vault-password*", ".npmrc", ".yarnrc", ".yarnrc.yml", ".pypirc", "auth.json", ".bundle/config",
	// Clouds and clusters.
	"*.tfstate", "*.tfstate.*", "*.tfvars", "*.tfvars.*", ".terraformrc", "terraform.rc", ".aws/**", ".azure/**", ".gcloud/**", ".config/gcloud/**",
	"service-account*.json", "service_account*.json", "serviceaccount*.json", "*-service-account.json", "*service-account-key*.json",
	".kube/**", "kubeconfig", "*.kubeconfig", "kubeconfig.*", ".docker/config.json", ".dockercfg", ".dockerconfigjson",
	".s3cfg", ".boto", "rclone.conf", ".rclone.conf", ".databrickscfg", ".oci/**",
	// What was typed, and what version control keeps beside the files.
	".*_history", ".git/**", ".hg/**", ".svn/**",
}

// protected are files that can run code or decide what we may do: editing them needs consent.
var protected = []string{
	// Version control.
	".git", ".git/**", "git~1", "git~1/**", ".hg/**", ".svn/**", ".jj/**", ".gitmodules", ".gitattributes", ".gitignore", ".gitconfig", ".hgrc",
	".husky/**", ".githooks/**", "lefthook.*", ".lefthook.*", "lefthook-local.*", ".pre-commit-config.y*ml", ".pre-commit-hooks.y*ml", ".overcommit.yml",
	".lintstagedrc*",
	// Editors.
	".vscode/**", "*.code-workspace", ".idea/**", ".fleet/**", ".zed/**", ".helix/**", ".nova/**", ".vs/**",
	".nvim.lua", ".nvimrc", ".nvim/**", ".exrc", "_exrc", ".vimrc", "_vimrc", ".lvimrc", ".local.vimrc", ".vim/**", ".lazy.lua", ".neoconf.json",
	".editorconfig", ".run/**", ".emacs", ".emacs.el", ".emacs.d/**", ".spacemacs", ".doom.d/**", ".dir-locals.el", ".dir-locals-2.el", ".projectile", "*.sublime-project", "*.sublime-workspace", ".kakrc", ".kak/**",
	".devcontainer/**", ".devcontainer.json", ".gitpod.yml", ".gitpod.dockerfile", ".theia/**",
	// Continuous integration.
	".github/workflows/**", ".github/actions/**", ".github/dependabot.y*ml", ".github/codeowners", "codeowners",
	".gitlab-ci*.y*ml", ".gitlab/**", ".circleci/**", "jenkinsfile*", "*.jenkinsfile", ".jenkins/**", ".travis.y*ml", "appveyor.y*ml", ".appveyor.y*ml",
	"azure-pipelines*.y*ml", ".azure-pipelines/**", ".azuredevops/**", "bitbucket-pipelines.y*ml", ".drone.*", ".woodpecker.y*ml", ".woodpecker/**",
	".buildkite/**", "buildspec*.y*ml", "cloudbuild.*", ".cirrus.*", ".semaphore/**", ".teamcity/**", "codefresh.y*ml", ".codefresh/**", "wercker.y*ml",
	".gitea/**", ".forgejo/**", ".builds/**", ".build.y*ml", "codemagic.y*ml", "bitrise.y*ml", ".tekton/**", "screwdriver.y*ml", ".zuul.y*ml", ".zuul.d/**",
	"zuul.d/**", ".readthedocs.y*ml", ".ci/**", ".sourcehut/**", ".dagger/**", ".harness/**", ".concourse/**",
	// Shells, package managers and tools that run what stands there.
	".envrc", ".env", ".env.*", ".env-*", ".env_*", ".direnv/**", ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".profile", ".zshrc", ".zshenv",
	".zprofile", ".zlogin", ".npmrc", ".yarnrc", ".yarnrc.yml", ".yarn/**", ".pnpmfile.cjs", ".pypirc", ".netrc", "_netrc", ".cargo/**", ".mvn/**",
	".bundle/**", ".bazelrc", ".mise.toml", "mise.toml", ".mise/**", ".tool-versions", ".rtx.toml", ".gdbinit", ".lldbinit", "sitecustomize.py", "usercustomize.py",
	// Models and their tools, and what we may do ourselves.
	".claude/**", ".claude.json", ".mcp.json", "mcp.json", ".cursor/**", ".cursorrules", ".cursorignore", ".windsurf/**", ".windsurfrules", ".continue/**",
	".codex/**", ".gemini/**", ".roo/**", ".roomodes", ".clinerules", ".clinerules/**", ".aider*", ".copilot/**", ".copilotignore",
	".github/copilot-instructions.md", ".github/instructions/**", ".github/prompts/**",
	".coauthor/**", ".coauthorignore", ".aiderignore", ".ignore",
	// Keys.
	".ssh/**", ".gnupg/**", ".aws/**", ".kube/**", ".docker/**", ".pgpass", "*.pem", "*.key", "id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*",
}

// ignoreFiles are read at all levels, the later ones on top of the earlier. Those that a policy adds are read as well,
// each by itself.
var ignoreFiles = []string{".gitignore", ".aiderignore", ".coauthorignore"}

type rules struct{ deny, protect *globs }

func newRules(o Policy) (rules, error) {
	deny, err := newGlobs(denied, o.DenyGlobs)
	if err != nil {
		return rules{}, err
	}
	if err := plainNames(o.IgnoreFiles); err != nil {
		return rules{}, err
	}
	protect, err := newGlobs(protected, o.IgnoreFiles, o.ProtectedGlobs) // who may change an ignore file decides what is sent
	return rules{deny, protect}, err
}

// plainNames says which of the names of ignore files is none: they are looked for in every folder.
func plainNames(list []string) error {
	for _, name := range list {
		if name == "" || name == "." || name == ".." || strings.ContainsAny(name, `/\*?[]{}`) {
			return fmt.Errorf("%q is not a valid ignore file; files.ignoreFiles accepts only file names such as .cursorignore", name)
		}
	}
	return nil
}

func (r rules) denies(path string) string {
	if glob := r.deny.match(path); glob != "" {
		return path + " may contain secrets (" + glob + "); Coauthor sends it only with your consent"
	}
	return ""
}

func (r rules) protects(path string) string {
	if glob := r.protect.match(path); glob != "" {
		return path + " is protected (" + glob + "); Coauthor changes it only with your consent"
	}
	return ""
}

// folded is a path as disks compare it that do not tell letters apart: on many .GIT is .git.
func folded(path string) string {
	for i := range len(path) {
		if path[i] >= utf8.RuneSelf {
			return cases.Fold().String(strings.Map(visible, path))
		}
	}
	return strings.ToLower(path)
}

// visible drops the characters that macOS leaves out when it compares names.
func visible(r rune) rune {
	switch {
	case r >= 0x200B && r <= 0x200F, r >= 0x202A && r <= 0x202E, r >= 0x2060 && r <= 0x206F, r == 0xFEFF:
		return -1
	}
	return r
}
