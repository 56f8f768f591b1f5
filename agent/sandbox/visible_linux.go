package sandbox

import (
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strings"
)

// What commands see of a home folder, relative to it: programs, libraries, and what tools keep so that they need not fetch or
// build it again. Nothing else of a home is there. A folder in which people keep work or keys beside that is listed by its
// parts.
var homeParts = strings.Fields(`
	bin .local/bin .local/lib .local/lib64 .local/include .local/opt .local/pipx
	.local/share/uv .local/share/virtualenvs .local/share/pipx .local/share/hatch .local/share/pdm .local/share/pypoetry
	.local/share/mise .local/share/rtx .local/share/fnm .local/share/nvm .local/share/pnpm .local/share/gem .local/share/coursier
	.local/share/NuGet .local/share/zig .local/share/rustup .local/share/cargo .local/share/go .local/share/bob .local/state/nix .local/state/fnm_multishells
	go/pkg go/bin sdk .go .gvm .goenv
	.cargo .rustup
	.pyenv .virtualenvs .venvs miniconda3 anaconda3 miniforge3 mambaforge micromamba .conda/pkgs .conda/envs .pixi .rye .uv .poetry
	.npm .nvm .volta .fnm .nodenv .n .asdf .bun .deno .yarn .pnpm-store .node-gyp .nodebrew .electron .electron-gyp
	.m2 .gradle .ivy2 .sbt .sdkman .jenv .jabba .jdks .konan .android/sdk Android/Sdk .coursier .lein .clojure .boot
	.rbenv .rvm .gem .rubies .bundle/cache .bundle/gems
	.nuget .dotnet .templateengine
	.mix .hex .kiex .stack .cabal .ghcup .opam .elan .nimble .choosenim .pub-cache .dart .flutter flutter .swiftpm .swiftly .zvm .juliaup .julia
	.luarocks .perl5 perl5 .plenv .cpan .composer .phpenv .cpanm .rakubrew .vcpkg .conan .conan2 .ccache .terraform.d/plugin-cache .tfenv .linuxbrew .nix-profile .nix-defexpr
	.cache/go-build .cache/golangci-lint .cache/staticcheck .cache/gopls .cache/goimports .cache/bazelisk .cache/bazel .cache/ccache .cache/sccache .cache/zig
	.cache/pip .cache/pip-tools .cache/uv .cache/pypoetry .cache/pdm .cache/hatch .cache/pre-commit .cache/virtualenv .cache/pytest .cache/mypy .cache/ruff .cache/pylint .cache/black .cache/pyright-python .cache/rattler
	.cache/matplotlib .cache/fontconfig .cache/numba .cache/torch .cache/huggingface/hub .cache/huggingface/datasets .cache/nltk_data
	.cache/npm .cache/yarn .cache/pnpm .cache/node .cache/node-gyp .cache/deno .cache/typescript .cache/electron .cache/electron-builder .cache/ms-playwright .cache/Cypress .cache/puppeteer .cache/prisma .cache/esbuild .cache/turbo .cache/vite .cache/bun
	.cache/composer .cache/coursier .cache/JNA .cache/gradle .cache/rubocop_cache .cache/solargraph .cache/phpstan .cache/cabal .cache/stack .cache/ghcup .cache/rebar3 .cache/mise .cache/nix .cache/Homebrew .cache/dart .cache/swiftpm .cache/clangd`)

// Variables that name a folder which tools fill, wherever it is: what is written there is dropped.
var cacheNames = strings.Fields(`GOCACHE GOMODCACHE GOLANGCI_LINT_CACHE STATICCHECK_CACHE CARGO_HOME GRADLE_USER_HOME UV_CACHE_DIR PIP_CACHE_DIR DENO_DIR BUN_INSTALL MISE_CACHE_DIR`)

// Secrets that tools keep in these folders, relative to each of them: they are taken away.
var toolSecrets = strings.Fields(`credentials credentials.toml credentials.json .credentials settings.xml settings-security.xml gradle.properties auth.json
	token stored_tokens .npmrc npmrc etc/npmrc .yarnrc.yml .pypirc pip.conf etc/pip.conf .netrc NuGet/NuGet.Config NuGet.Config nuget.config .condarc credentials.sbt 1.0/credentials.sbt repo/credentials`)

// Places outside of home folders that a system keeps among what is emptied, and that programs need.
var systemParts = strings.Fields(`/run/current-system /run/booted-system /run/opengl-driver /run/opengl-driver-32 /run/wrappers /home/linuxbrew/.linuxbrew /etc/resolv.conf /etc/localtime`)

// privatePlaces are places where people keep what is theirs, and where programs listen, or leave what passes between them:
// each is an empty folder of the command's own. Globs.
var privatePlaces = strings.Fields(`/home /root /run /var/run /tmp /var/tmp /var/mail /var/spool /media /mnt/?/Users`)

// homes are the user's home folders: the one that the environment names, and the one that the system knows.
func homes(environ []string) []string {
	list := []string{value(environ, "HOME")}
	if u, err := user.Current(); err == nil {
		list = append(list, u.HomeDir)
	}
	list = slices.DeleteFunc(list, func(name string) bool { return !filepath.IsAbs(name) || filepath.Clean(name) == "/" })
	return slices.Compact(list)
}

// emptied are the places of this machine that a command finds empty, without links in their paths.
func (s *Shadow) emptied() []string {
	names := homes(s.o.Environ)
	for _, glob := range privatePlaces {
		if found, err := filepath.Glob(glob); err == nil {
			names = append(names, found...)
		}
	}
	for _, name := range []string{"XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "TMPDIR"} {
		names = append(names, value(s.o.Environ, name))
	}
	var list []string
	for _, name := range append(names, s.o.Dir) {
		real, err := filepath.EvalSymlinks(name)
		if err == nil && filepath.IsAbs(real) && real != "/" && isDir(real) && !slices.Contains(list, real) {
			list = append(list, real)
		}
	}
	return list
}

// shown are the folders and files outside of the root that a command sees, by the names that are used for them: those of the
// table, what the environment of the command names, and what the user adds.
func shown(environ, given []string, more []string) (always, hidden []string) {
	list := homes(environ)
	for _, home := range list {
		for _, part := range homeParts {
			always = append(always, filepath.Join(home, part))
		}
	}
	for name, begin := range map[string]string{"XDG_CACHE_HOME": ".cache/", "XDG_DATA_HOME": ".local/share/"} {
		if base := value(environ, name); filepath.IsAbs(base) {
			for _, part := range homeParts {
				if rest, ok := strings.CutPrefix(part, begin); ok {
					always = append(always, filepath.Join(base, rest))
				}
			}
		}
	}
	for _, name := range cacheNames {
		always = append(always, value(environ, name))
	}
	for _, gopath := range filepath.SplitList(value(environ, "GOPATH")) { // beside these lies the user's work
		always = append(always, filepath.Join(gopath, "pkg"), filepath.Join(gopath, "bin"))
	}
	for _, name := range more {
		if rest, ok := strings.CutPrefix(name, "~/"); ok && len(list) > 0 {
			name = filepath.Join(list[0], rest)
		}
		always = append(always, name)
	}
	hidden = append(hidden, systemParts...)
	for _, kv := range given {
		switch name, text, _ := strings.Cut(kv, "="); name {
		case "HOME", "TMPDIR", "GOPATH", "XDG_CACHE_HOME", "XDG_DATA_HOME":
		case "PATH":
			for _, dir := range filepath.SplitList(text) {
				hidden = append(hidden, dir)
				if installed := filepath.Dir(dir); isInstallation(installed) {
					hidden = append(hidden, installed)
				}
			}
		default:
			hidden = append(hidden, filepath.SplitList(text)...)
		}
	}
	return always, hidden
}

// isInstallation says whether a folder is where something was installed to: programs and libraries lie beside each other, and
// it is nobody's checkout.
func isInstallation(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, ".git"))
	return err != nil && isDir(filepath.Join(dir, "bin")) && isDir(filepath.Join(dir, "lib")) && filepath.Base(dir) != ".local"
}

// outside are those of the places that lie outside of the project.
func outside(visible []string) (list []string) {
	for _, v := range visible {
		if filepath.IsAbs(v) || strings.HasPrefix(v, "~/") {
			list = append(list, v)
		}
	}
	return list
}
