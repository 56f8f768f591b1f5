// Holds the manifest against what VS Code has as stable. code-server, in which the extension is tried, allows proposed
// interfaces to everybody; VS Code does not.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { commandRows, providers, settingNames } from '../src/generated';

const read = (name: string) => readFileSync(name, 'utf8');
const manifest = JSON.parse(read('package.json'));
const { contributes } = manifest;
const commands = new Map<string, { title: string; icon?: string }>(contributes.commands.map((c: { command: string; title: string }) => [c.command, c]));

const stableMenus = new Set([
  'commandPalette', 'editor/title', 'editor/title/run', 'editor/title/context', 'editor/context', 'editor/context/copy', 'editor/lineNumber/context',
  'explorer/context', 'scm/title', 'scm/sourceControl', 'scm/repository', 'scm/resourceGroup/context', 'scm/resourceFolder/context',
  'scm/resourceState/context', 'scm/change/title', 'comments/commentThread/title', 'comments/commentThread/context', 'comments/comment/title',
  'comments/comment/context', 'view/title', 'view/item/context', 'webview/context', 'modalEditor/editorTitle',
]);
const stableContributions = new Set([
  'commands', 'menus', 'keybindings', 'viewsContainers', 'views', 'viewsWelcome', 'configuration', 'configurationDefaults', 'walkthroughs',
]);

/** All files of the sources, with their texts. */
function sources(dir = 'src'): [string, string][] {
  return readdirSync(dir, { withFileTypes: true }).flatMap((e): [string, string][] => {
    const name = path.join(dir, e.name);
    return e.isDirectory() ? sources(name) : [[name, read(name)]];
  });
}

test('nothing proposed is used', () => {
  assert.equal(manifest.enabledApiProposals, undefined);
  assert.equal(manifest.extensionDependencies, undefined);
  for (const point of Object.keys(contributes)) assert.ok(stableContributions.has(point), point);
  for (const menu of Object.keys(contributes.menus)) assert.ok(stableMenus.has(menu), `${menu} is proposed, or nobody has looked`);
});

test('what menus, keys, views and steps name is there', () => {
  const named = [
    ...Object.values<{ command: string }[]>(contributes.menus).flat().map((m) => m.command),
    ...contributes.keybindings.map((k: { command: string }) => k.command),
    ...[...JSON.stringify(contributes).matchAll(/(?:command:|onCommand:)(coauthor\.[\w.]+)/g)].map((m) => m[1]),
  ];
  for (const command of named) assert.ok(commands.has(command), command);
  assert.ok(named.length > 40);
  for (const c of commands.keys()) assert.equal(contributes.commands.filter((o: { command: string }) => o.command === c).length, 1, c);
});

test('every command of the manifest is registered, and no other', () => {
  const text = sources().map(([, t]) => t).join('\n');
  const own = [...commands.keys()].filter((c) => c.startsWith('coauthor.client.')).map((c) => c.slice('coauthor.client.'.length));
  const registered = new Set([...text.matchAll(/\b(?:command|own)\('(\w+)',/g)].map((m) => m[1]));
  for (const id of own) assert.ok(registered.has(id), id);
  for (const id of registered) assert.ok(own.includes(id!), id);
  for (const [, id] of text.matchAll(/'(coauthor\.[a-z]\w*)'/g)) {
    const known = commands.has(id!) || settingNames.includes(id!.slice(9)) || /^coauthor\.(chat|pending|status|keys|instructions|running|queue|box|model|exe)$/.test(id!);
    assert.ok(known, id);
  }
});

test('the tables are in the manifest', () => {
  assert.ok(commandRows.length > 50 && settingNames.length > 50 && providers.length > 5);
  for (const row of commandRows) assert.equal(commands.get(row.command)?.title, row.title);
  const own = ['coauthor.server.path', 'coauthor.trace.server'];
  assert.deepEqual(Object.keys(contributes.configuration.properties).sort(), [...own, ...settingNames.map((n) => `coauthor.${n}`)].sort());
});

test('a repository can set nothing that is the user\'s', () => {
  const p = contributes.configuration.properties;
  for (const name of ['server.path', 'apiBase', 'apiKeyEnv', 'apiKeyCommand', 'models', 'trust.roots']) assert.equal(p[`coauthor.${name}`]?.scope, 'machine', name);
  for (const [name, v] of Object.entries<{ scope: string }>(p)) assert.ok(['machine', 'window'].includes(v.scope), name);
  assert.equal(manifest.capabilities.untrustedWorkspaces.supported, 'limited');
  assert.equal(manifest.capabilities.virtualWorkspaces.supported, false);
  assert.equal(manifest.browser, undefined);
});

test('no key is taken from the user or a keyboard', () => {
  for (const { key, mac, command } of contributes.keybindings) {
    for (const k of [key, mac].filter(Boolean)) {
      assert.doesNotMatch(k, /ctrl\+alt|ctrl\+i$|ctrl\+l$|ctrl\+'$/, `${command}: ${k}`);
      if (/^alt\+/.test(k)) assert.match(k, /^alt\+(up|down)$/, `${command}: ${k} writes a letter on a Mac`);
    }
  }
  for (const { when, command } of contributes.keybindings) assert.ok(when, `${command} is taken everywhere`);
});

test('what a row of the tree has as a button is in its menu, too, which keys open', () => {
  const rows: { command: string; when: string; group: string }[] = contributes.menus['view/item/context'];
  const [buttons, entries] = [true, false].map((inline) => rows.filter((r) => r.group.startsWith('inline@') === inline).map((r) => `${r.command} ${r.when}`));
  assert.ok(buttons!.length >= 5);
  assert.deepEqual(entries, buttons);
});

test('dependencies are pinned, and the lock file names no host', () => {
  for (const [name, version] of Object.entries<string>(manifest.devDependencies)) assert.match(version, /^\d+\.\d+\.\d+$/, name);
  assert.equal(manifest.dependencies, undefined, 'all is in the bundle');
  assert.doesNotMatch(read('package-lock.json'), /https?:\/\/registry|"resolved"/);
  const page = read('CONTRIBUTING.md');
  for (const name of Object.keys(manifest.devDependencies)) assert.ok(page.includes(`\`${name}\``), `CONTRIBUTING.md does not say why ${name} is there`);
  assert.equal(manifest.engines.vscode, `^${manifest.devDependencies['@types/vscode']}`);
});

test('files are short, and what is pure knows no editor', () => {
  const pure = ['asked', 'binary', 'columns', 'history', 'drafts', 'hunks', 'landed', 'proposals', 'protocol', 'questions', 'queue', 'reviewtext', 'settings', 'text', 'turns', 'chat/messages', 'chat/talk', 'chat/page/chords'];
  for (const [name, text] of sources()) {
    if (!name.endsWith('generated.ts')) assert.ok(text.split('\n').length <= 200, `${name} is too long`);
    assert.doesNotMatch(text, /registerUriHandler|telemetry|vscode\.lm\b|vscode\.chat\b/i, name);
  }
  for (const p of pure) assert.doesNotMatch(read(`src/${p}.ts`), /^import (?!type).* from 'vscode/m, p);
});

test('pictures and texts that the manifest names are there', () => {
  const files = [manifest.icon, ...[...JSON.stringify(contributes).matchAll(/"(media\/[\w.]+)"/g)].map((m) => m[1])];
  for (const f of files) assert.ok(existsSync(f) && statSync(f).size > 0, f);
  for (const icon of [...commands.values()].flatMap((c) => c.icon ?? [])) assert.match(icon, /^\$\([a-z-]+\)$/);
});
