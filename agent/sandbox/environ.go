package sandbox

import (
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// What a command needs of the user's environment: who and where they are, and where the tools lie.
var (
	// keptNames are kept as they are.
	keptNames = strings.Fields(`PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ TERM
		CC CXX LD CFLAGS CXXFLAGS LDFLAGS LD_LIBRARY_PATH LIBRARY_PATH CPATH PKG_CONFIG_PATH SDKROOT DEVELOPER_DIR
		CARGO_HOME RUSTUP_HOME RUSTUP_TOOLCHAIN RUSTFLAGS JAVA_HOME MAVEN_HOME M2_HOME GRADLE_HOME GRADLE_USER_HOME
		VIRTUAL_ENV CONDA_PREFIX CONDA_DEFAULT_ENV PYENV_ROOT PYENV_VERSION PYTHONPATH PYTHONHOME UV_CACHE_DIR
		NODE_PATH NVM_DIR NVM_BIN VOLTA_HOME FNM_DIR FNM_MULTISHELL_PATH PNPM_HOME BUN_INSTALL DENO_DIR
		RBENV_ROOT RBENV_VERSION GEM_HOME GEM_PATH BUNDLE_PATH ASDF_DIR ASDF_DATA_DIR DOTNET_ROOT FLUTTER_ROOT
		XDG_CACHE_HOME XDG_DATA_DIRS SSL_CERT_FILE SSL_CERT_DIR NIX_PATH
		SYSTEMROOT COMSPEC PATHEXT WINDIR TEMP TMP USERPROFILE SYSTEMDRIVE LOCALAPPDATA APPDATA PROGRAMDATA PROGRAMFILES`)
	keptPrefixes = []string{"LC_", "GO", "CGO_", "MISE_", "NIX_CC"}
)

// Names and values that may be a secret.
var (
	secretName  = regexp.MustCompile(`(?i)KEY|SECRET|TOKEN|PASS|AUTH|CRED|PRIVATE|CERT_?DATA|GOOGLE`)
	secretValue = regexp.MustCompile(`-----BEGIN |://[^/@\s:]*:[^/@\s]+@|gh[pousr]_[A-Za-z0-9]{16}|github_pat_|AKIA[A-Z0-9]{12}|eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+\.|xox[abprs]-|sk-[A-Za-z0-9_-]{16}|glpat-`)
)

// Environment picks of the user's environment what a command gets: nothing that is known as a secret. It adds what keeps
// tools from asking, paging and colouring. temp is a folder for temporary files; "" is the one that programs take by
// themselves.
func Environment(from []string, temp string) []string {
	var list []string
	for i, kv := range from {
		name, value, ok := strings.Cut(kv, "=")
		if later(from[i+1:], name) { // the last one holds, but a program may take the first
			continue
		}
		if !ok || secretName.MatchString(name) || secretValue.MatchString(value) {
			continue
		}
		if slices.Contains(keptNames, strings.ToUpper(name)) || slices.ContainsFunc(keptPrefixes, func(p string) bool { return strings.HasPrefix(name, p) }) {
			list = append(list, kv)
		}
	}
	if temp != "" {
		list = append(list, "TMPDIR="+temp)
		if runtime.GOOS == "windows" {
			list = append(list, "TEMP="+temp, "TMP="+temp)
		}
	}
	return append(list, "NO_COLOR=1", "PAGER=cat", "GIT_PAGER=cat", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0", "CI=1")
}

// later says whether a variable is set in the rest of an environment.
func later(env []string, name string) bool {
	return slices.ContainsFunc(env, func(kv string) bool {
		n, _, _ := strings.Cut(kv, "=")
		return n == name || runtime.GOOS == "windows" && strings.EqualFold(n, name)
	})
}

// value returns a variable of an environment; "" when it is not set.
func value(env []string, name string) string {
	for i := len(env) - 1; i >= 0; i-- {
		if n, v, _ := strings.Cut(env[i], "="); n == name || runtime.GOOS == "windows" && strings.EqualFold(n, name) {
			return v
		}
	}
	return ""
}
