package sandbox

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// environment is an environment with the copy in the place of the folder, and with what keeps tools from reaching the
// folder all the same: Python's editable installs lead to the copy, and cargo builds into it. dir is where the command
// runs.
func (c *replica) environment(from []string, dir string) []string {
	list := make([]string, 0, len(from)+2)
	for _, kv := range from {
		name, text, _ := strings.Cut(kv, "=")
		parts := filepath.SplitList(text)
		for i, p := range parts {
			parts[i] = c.into(p)
		}
		if moved := strings.Join(parts, string(filepath.ListSeparator)); len(parts) > 0 {
			text = moved
		}
		if name != "PYTHONPATH" && name != "CARGO_TARGET_DIR" {
			list = append(list, name+"="+text)
		}
	}
	var python []string
	for _, d := range c.editable(from) {
		python = append(python, c.into(d))
	}
	for _, p := range filepath.SplitList(value(from, "PYTHONPATH")) {
		python = append(python, c.into(p))
	}
	if len(python) > 0 {
		list = append(list, "PYTHONPATH="+strings.Join(python, string(filepath.ListSeparator)))
	}
	whole := filepath.Join(c.path(), filepath.FromSlash(dir))
	if _, err := os.Stat(filepath.Join(whole, "Cargo.toml")); err == nil || value(from, "CARGO_TARGET_DIR") != "" {
		list = append(list, "CARGO_TARGET_DIR="+filepath.Join(whole, "target")) // whatever the user's settings say
	}
	return list
}

// quoted is a text in quotes, as the modules that setuptools writes for editable installs hold paths.
var quoted = regexp.MustCompile(`['"]((?:[^'"\\\n]|\\.)+)['"]`)

// editable lists the folders of the root that Python environments outside of it load packages from where they are.
func (c *replica) editable(environ []string) []string {
	var list []string
	add := func(dir string) {
		if dir = filepath.Clean(dir); below(c.root, dir) && !slices.Contains(list, dir) {
			list = append(list, dir)
		}
	}
	for _, site := range sites(environ) {
		if below(c.root, site) { // it is copied, and tells of the copy there
			continue
		}
		entries, err := os.ReadDir(site)
		if err != nil {
			continue
		}
		for _, e := range entries {
			name := e.Name()
			switch {
			case strings.HasSuffix(name, ".pth"), strings.HasSuffix(name, ".egg-link"):
				for line := range strings.Lines(beginning(filepath.Join(site, name))) {
					if line = strings.TrimSpace(line); filepath.IsAbs(line) {
						add(line)
					}
				}
			case strings.HasPrefix(name, "__editable__") && strings.HasSuffix(name, ".py"):
				for _, m := range quoted.FindAllStringSubmatch(beginning(filepath.Join(site, name)), -1) {
					if path := strings.ReplaceAll(m[1], `\\`, `\`); filepath.IsAbs(path) {
						add(filepath.Dir(path)) // it names the package, and Python wants what that lies in
					}
				}
			}
		}
	}
	return list
}

// sites are the folders in which the Pythons of an environment have their packages.
func sites(environ []string) []string {
	var homes []string
	for _, name := range []string{"VIRTUAL_ENV", "CONDA_PREFIX", "PYTHONHOME"} {
		homes = append(homes, value(environ, name))
	}
	for _, dir := range filepath.SplitList(value(environ, "PATH")) {
		for _, name := range []string{"python3", "python", "python.exe"} {
			if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
				homes = append(homes, filepath.Dir(dir), dir) // on Windows, it lies beside its packages
				break
			}
		}
	}
	if root := value(environ, "PYENV_ROOT"); root != "" {
		homes = append(homes, root+"/versions/*")
	}
	if home := value(environ, "HOME"); home != "" {
		homes = append(homes, filepath.Join(home, ".local"), filepath.Join(home, ".pyenv/versions/*"))
	}
	var list []string
	for _, home := range homes {
		if !filepath.IsAbs(home) {
			continue
		}
		for _, in := range []string{"lib/python3*/site-packages", "lib/python3*/dist-packages", "Lib/site-packages"} {
			found, err := filepath.Glob(filepath.Join(home, in))
			if err != nil {
				continue
			}
			for _, dir := range found {
				if !slices.Contains(list, dir) {
					list = append(list, dir)
				}
			}
		}
	}
	return list
}

// beginning reads a small file; of a larger one, and of one that cannot be read, nothing.
func beginning(name string) string {
	f, err := os.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, mostRewritten))
	if err != nil {
		return ""
	}
	return string(data)
}
