package workspace_test

import (
	"fmt"
	"strings"
	"testing"

	"coauthor/agent/workspace"
)

// TestNamesThatAreNoPaths is the whole rule of which names a path below the root may have, on any system, and
// how a good one is written.
func TestNamesThatAreNoPaths(t *testing.T) {
	w := open(t, nil, workspace.Options{})
	long := strings.Repeat(strings.Repeat("x", 127)+"/", 31) + strings.Repeat("x", 128) // 4096 bytes
	bad := map[string]string{
		"": workspace.CodeBadName, " ": workspace.CodeBadName, "\t \n": workspace.CodeBadName, ".": workspace.CodeBadName, "./": workspace.CodeBadName, "a/..": workspace.CodeBadName,
		long + "x": workspace.CodeBadName, "caf\xe9": workspace.CodeBadName, "a\x7fb": workspace.CodeBadName, "a\u0085b": workspace.CodeBadName,
		"a\u202eb": workspace.CodeBadName, "a\u2066b": workspace.CodeBadName, "a\u200fb": workspace.CodeBadName, `a\b`: workspace.CodeBadName,
		"/": workspace.CodeOutside, "/a": workspace.CodeOutside, "//a": workspace.CodeOutside, `\a`: workspace.CodeOutside, `\\a\b`: workspace.CodeOutside, "..": workspace.CodeOutside, "../a": workspace.CodeOutside,
		"a/../..": workspace.CodeOutside, "a/../../b": workspace.CodeOutside, "./../a": workspace.CodeOutside, "~": workspace.CodeOutside, "~/a": workspace.CodeOutside, `~\a`: workspace.CodeOutside,
		"1:x": workspace.CodeBadName, "@:x": workspace.CodeBadName, "[:x": workspace.CodeBadName, "`:x": workspace.CodeBadName, "{:x": workspace.CodeBadName, "é:": workspace.CodeBadName, "ab:c": workspace.CodeBadName, ":": workspace.CodeBadName,
		"a.": workspace.CodeBadName, "a ": workspace.CodeBadName, "a./b": workspace.CodeBadName, "a /b": workspace.CodeBadName, "...": workspace.CodeBadName, "a/b:c": workspace.CodeBadName,
	}
	for _, drive := range []string{"a", "m", "z", "A", "Z"} {
		for _, rest := range []string{":", ":x", ":/x", `:\x`} {
			bad[drive+rest] = workspace.CodeOutside
		}
	}
	devices := []string{"con", "prn", "aux", "nul"}
	for i := 1; i <= 9; i++ {
		devices = append(devices, fmt.Sprint("com", i), fmt.Sprint("lpt", i))
	}
	for _, name := range devices {
		for _, spelled := range []string{name, strings.ToUpper(name), name + ".txt", name + ".tar.gz", "a/" + name, name + "/a", name + " .txt"} {
			bad[spelled] = workspace.CodeBadName
		}
	}
	good := map[string]string{
		"a": "a", "./a": "a", "a/": "a", "a//b": "a/b", "a/./b": "a/b", "a/../b": "b", "a/b/../../c": "c", "..a": "..a", "a..b": "a..b", "..a/b": "..a/b", ".a": ".a",
		" a": " a", "~a": "~a", "a~": "a~", "a/~": "a/~", "größe/日本": "größe/日本", "a b": "a b", long: long, "a\u200db": "a\u200db",
	}
	for _, name := range []string{"console", "com", "com0", "com10", "lpt", "lpt0", "nul1", "xcon", "x.con", "aux1", "prnt"} {
		good[name] = name
	}
	for path, code := range bad {
		if d := w.Door().Check(t.Context(), path, workspace.OpCreate); d.Verdict != workspace.Refuse || d.Code != code || d.Reason == "" {
			t.Errorf("%.50q: %+v, want %s", path, d, code)
		}
		if w.Door().Lister(t.Context())(path) || !w.Door().Named(t.Context())(path) || w.Snapshot().Exists(path) || w.Door().OnDisk(path) || w.Snapshot().Vacant(path) {
			t.Errorf("%.50q is listed, or is there", path)
		}
		if _, err := w.Door().DiskText(t.Context(), path); err == nil {
			t.Errorf("%.50q was read", path)
		}
	}
	for path, clean := range good {
		if d := w.Door().Check(t.Context(), path, workspace.OpCreate); (d.Verdict != workspace.Allow || d.Path != clean) && len(path) < 100 {
			t.Errorf("%.50q: %+v, want %s", path, d, clean)
		}
		if !w.Door().Lister(t.Context())(path) || w.Door().Named(t.Context())(path) {
			t.Errorf("%.50q is not listed", path)
		}
	}
}

// TestEveryNameOfTheLists has a name for each entry of the lists of what is not sent, and not changed, without a
// consent: none of them is dropped by accident. It is changed with the lists.
func TestEveryNameOfTheLists(t *testing.T) {
	w := open(t, nil, workspace.Options{})
	secret := strings.Fields(`
		.env .env.x .env-x .env_x x.env .envrc .envrc.x .direnv/x .flaskenv local.settings.json x.pem x.key x.ppk x.p8 x.p12 x.pfx x.pkcs12 x.jks x.jceks x.keystore x.bks
		x.agekey id_x x.kdbx x.kdb x.psafe3 x.gpg x.pgp secring.x x.ovpn x.mobileprovision x.publishsettings .ssh/x .gnupg/x .password-store/x .netrc _netrc .pgpass
		pgpass.conf .my.cnf .mylogin.cnf .htpasswd .git-credentials credentialsx x.credentials x_credentials.json secrets.x x.secret x.secrets .secrets .secrets.x .secrets/x
		.vault-token .vault_passx .vault-passx vault-passwordx .npmrc .yarnrc .yarnrc.yml .pypirc auth.json .bundle/config x.tfstate x.tfstate.x x.tfvars x.tfvars.x
		.terraformrc terraform.rc .aws/x .azure/x .gcloud/x .config/gcloud/x service-accountx.json service_accountx.json serviceaccountx.json x-service-account.json
		xservice-account-keyx.json .kube/x kubeconfig x.kubeconfig kubeconfig.x .docker/config.json .dockercfg .dockerconfigjson .s3cfg .boto rclone.conf .rclone.conf
		.databrickscfg .oci/x .x_history .git/x .hg/x .svn/x
	`)
	protected := strings.Fields(`
		.git .git/x git~1 git~1/x .hg/x .svn/x .jj/x .gitmodules .gitattributes .gitignore .gitconfig .hgrc .husky/x .githooks/x lefthook.x .lefthook.x lefthook-local.x
		.pre-commit-config.yml .pre-commit-config.yaml .pre-commit-hooks.yml .pre-commit-hooks.yaml .overcommit.yml .lintstagedrcx .vscode/x x.code-workspace .idea/x .fleet/x
		.zed/x .helix/x .nova/x .vs/x .nvim.lua .nvimrc .nvim/x .exrc _exrc .vimrc _vimrc .lvimrc .local.vimrc .vim/x .lazy.lua .neoconf.json .dir-locals.el .dir-locals-2.el
		.projectile x.sublime-project x.sublime-workspace .kakrc .kak/x .devcontainer/x .devcontainer.json .gitpod.yml .gitpod.dockerfile .theia/x .github/workflows/x
		.github/actions/x .github/dependabot.yml .github/dependabot.yaml .github/codeowners codeowners .gitlab-cix.yml .gitlab-cix.yaml .gitlab/x .circleci/x jenkinsfilex
		x.jenkinsfile .jenkins/x .travis.yml .travis.yaml appveyor.yml appveyor.yaml .appveyor.yml .appveyor.yaml azure-pipelinesx.yml azure-pipelinesx.yaml .azure-pipelines/x
		.azuredevops/x bitbucket-pipelines.yml bitbucket-pipelines.yaml .drone.x .woodpecker.yml .woodpecker.yaml .woodpecker/x .buildkite/x buildspecx.yml buildspecx.yaml
		cloudbuild.x .cirrus.x .semaphore/x .teamcity/x codefresh.yml codefresh.yaml .codefresh/x wercker.yml wercker.yaml .gitea/x .forgejo/x .builds/x .build.yml .build.yaml
		codemagic.yml codemagic.yaml bitrise.yml bitrise.yaml .tekton/x screwdriver.yml screwdriver.yaml .zuul.yml .zuul.yaml .zuul.d/x zuul.d/x .readthedocs.yml
		.readthedocs.yaml .ci/x .sourcehut/x .dagger/x .harness/x .concourse/x .envrc .env .env.x .env-x .env_x .direnv/x .bashrc .bash_profile .bash_login .bash_logout
		.profile .zshrc .zshenv .zprofile .zlogin .npmrc .yarnrc .yarnrc.yml .yarn/x .pnpmfile.cjs .pypirc .netrc _netrc .cargo/x .mvn/x .bundle/x .bazelrc .mise.toml
		mise.toml .mise/x .tool-versions .rtx.toml .gdbinit .lldbinit sitecustomize.py usercustomize.py .claude/x .claude.json .mcp.json mcp.json .cursor/x .cursorrules
		.cursorignore .windsurf/x .windsurfrules .continue/x .codex/x .gemini/x .roo/x .roomodes .clinerules .clinerules/x .aiderx .copilot/x .copilotignore
		.github/copilot-instructions.md .github/instructions/x .github/prompts/x .coauthor/x .coauthorignore .aiderignore .ignore .ssh/x .gnupg/x .aws/x .kube/x .docker/x
		.pgpass x.pem x.key id_rsax id_dsax id_ecdsax id_ed25519x
	`)
	for _, c := range []struct {
		names []string
		op    workspace.Operation
		code  string
	}{{secret, workspace.OpSend, workspace.CodeDenied}, {protected, workspace.OpEdit, workspace.CodeProtected}} {
		for i, d := range w.Door().CheckAll(t.Context(), c.names, c.op) {
			if d.Verdict != workspace.Ask || d.Code != c.code || !strings.HasPrefix(d.Reason, c.names[i]+" ") {
				t.Errorf("%s of %s: %+v", c.op, c.names[i], d)
			}
		}
	}
	for _, name := range secret {
		if w.Door().Lister(t.Context())(name) || !w.Door().Named(t.Context())(name) {
			t.Errorf("%s is listed", name)
		}
	}
}

// TestLettersThatDisksLeaveOut: a name that a disk takes for another one, for it leaves some characters out when it
// compares them, is judged as that one; what only looks alike to people is another name.
func TestLettersThatDisksLeaveOut(t *testing.T) {
	w := open(t, nil, workspace.Options{})
	left := []rune{0x200B, 0x200C, 0x200D, 0x2060, 0x2061, 0x2062, 0x2063, 0x2064, 0x206A, 0x206B, 0x206C, 0x206D, 0x206E, 0x206F, 0xFEFF}
	for want, list := range map[workspace.Verdict][]rune{workspace.Ask: left, workspace.Allow: {0x200A, 0x2010, 0x2029, 0x202F, 0x205F, 0x2070, 0xFEFE, 0xE000, 'x', 'é'}} {
		for _, r := range list {
			for _, op := range []workspace.Operation{workspace.OpSend, workspace.OpCreate} {
				if d := w.Door().Check(t.Context(), ".en"+string(r)+"v", op); d.Verdict != want {
					t.Errorf("%s with %U: %+v, want %s", op, r, d, want)
				}
			}
		}
	}
}
