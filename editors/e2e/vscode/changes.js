// What may happen to a change in VS Code: many kinds of files, discarding, line ends, conflicts, and a stop. node changes.js WORLD.json
const { assert, fs, path, w, tell, label, disk, insist, at, ask, typing, ready, clear, main, until } = require('./scene');

const openAll = async (v, ...names) => {
  for (const name of names) await v.open(name);
};

/** A new, a renamed, a deleted and a changed file, accepted and taken back while somebody types. */
async function files(v) {
  await ready(v);
  await v.set('coauthor.editFormat', 'patch');
  await openAll(v, 'old.py', 'name.py', 'greet.py');
  await at(v, 0, 0, 2, 0);
  await ask(v, 'move it all');
  const robot = await typing(v, 'greet.py', 5);
  await until('four files wait', async () => /4 files pending/.test(await v.status()));
  await until('the diff is open', () => label(v, /^greet\.py \(1 of 4/));
  await v.shot('changes-1-four-files');
  await insist('it is accepted', () => v.command('coauthor.client.acceptAll'), async () => (await v.text('greet.py')).includes('Good day, '), robot);
  await until('the new file is there', async () => (await v.text('polite.py')) === 'POLITE = True\n' || disk('polite.py') === 'POLITE = True\n');
  await until('the renamed file is there', async () => ((await v.text('label.py')) ?? disk('label.py')) === 'NAME = "label"\n');
  await until('the deleted and the renamed file are gone', () => disk('old.py') === undefined && disk('name.py') === undefined);
  await until('nothing waits', async () => !/pending/.test(await v.status()));
  await insist('it is undone', () => v.command('coauthor.undoTurn'), async () => !(await v.text('greet.py')).includes('Good day, ') && disk('polite.py') === undefined, robot);
  await until('the deleted file is back, not saved yet', async () => ((await v.text('old.py')) ?? disk('old.py')) === w.project['old.py'] && disk('label.py') === undefined);
  await until('the renamed file is as it was', async () => ((await v.text('name.py')) ?? disk('name.py')) === w.project['name.py']);
  const typed = await robot.stop();
  assert.equal(disk('greet.py'), w.project['greet.py'], 'the file was saved');
  tell(`${typed.length} keys, none lost`);
  await v.set('coauthor.editFormat');
  await clear(v);
}

/** Two files are discarded, after a question. */
async function discard(v) {
  await openAll(v, 'main.py', 'greet.py');
  await at(v, 0, 0, 2, 0);
  await ask(v, 'no thanks');
  const robot = await typing(v, 'greet.py', 5);
  await until('two files wait', async () => /2 files pending/.test(await v.status()));
  await robot.stop();
  const before = await v.text('greet.py');
  await v.command('coauthor.client.discardAll');
  const dialog = v.page.locator('.monaco-dialog-box');
  await dialog.waitFor();
  assert.match(await dialog.innerText(), /all 2 files/);
  await dialog.locator('.monaco-button', { hasText: 'Discard' }).click();
  await until('nothing waits', async () => !/pending/.test(await v.status()));
  await until('the diff is closed', async () => !(await label(v, / of 2/)));
  assert.equal(await v.text('greet.py'), before);
  assert.equal(disk('main.py'), w.project['main.py']);
  await clear(v);
}

/** A file with CRLF and text beyond ASCII keeps both, in the editor and when it is saved. */
async function lineEnds(v) {
  await v.open('gruß.py');
  const before = await v.text('gruß.py');
  assert.ok(before.includes('\r\n') && before.includes('👋'));
  await at(v, 0, 0, 2, 0);
  await ask(v, 'höflich, bitte 👋');
  const robot = await typing(v, 'gruß.py', 5);
  await until('the diff is open', () => label(v, /^gruß\.py \(/));
  const typed = await robot.stop();
  await v.command('coauthor.showPending');
  await until('the diff has the focus', async () => /^coauthor-new:/.test((await v.active()) ?? ''));
  await until('the cursor is at the change', async () => {
    await v.page.keyboard.press('Alt+F5'); // it goes nowhere before the diff is worked out
    return v.api(`const { document, selection } = vscode.window.activeTextEditor;
      return document.lineAt(selection.active.line).text.includes('Schönen guten Tag');`);
  });
  await v.page.keyboard.press('Control+Enter');
  await until('the hunk is in the file', async () => (await v.text('gruß.py')).includes('Schönen guten Tag 🌞, '));
  const want = before.replace('Grüße 👋, ', 'Schönen guten Tag 🌞, ').replace(/(.*"Tschüss, " \+ name)/, (x) => x + typed);
  assert.equal(await v.text('gruß.py'), want);
  await v.open('gruß.py');
  await v.command('workbench.action.files.save');
  await until('it is saved', () => disk('gruß.py') === want);
  assert.ok(!/[^\r]\n/.test(disk('gruß.py')), 'a line end is another one now');
  fs.writeFileSync(path.join(w.dir, 'gruß.py'), w.project['gruß.py']);
  await clear(v);
}

/** The user changes the same line meanwhile: the ways out are offered, and work. */
async function conflict(v) {
  for (const [instruction, decide, want] of [
    ['nicer', () => v.press('you edited the same lines', 'Use the model'), '"Good evening, "'],
    ['nicer still', () => viaTree(v), '"Hi, "'],
  ]) {
    await v.open('greet.py');
    await at(v, 0, 0, 2, 0);
    await ask(v, instruction);
    await until('the diff is open', () => label(v, /^greet\.py \(/));
    await v.open('greet.py');
    await at(v, 1, 12, 1, 17);
    await v.page.keyboard.type('Hi', { delay: 100 });
    await until('it is typed', async () => (await v.text('greet.py')).includes('"Hi, "'));
    await v.command('coauthor.client.acceptAll');
    const told = await (await v.toast('you edited the same lines')).innerText();
    assert.match(told, /Coauthor: No files changed: you edited the same lines in greet\.py .*yours “return "Hi, " \+ name”, the model's “return "Good evening, " \+ name”\./);
    await v.shot('changes-2-conflict');
    await decide();
    await until(`the file has ${want}`, async () => (await v.text('greet.py')).includes(want));
    await until('it is decided', async () => !/pending/.test(await v.status()));
    await clear(v);
  }
}

/** The warning row in the tree leads to the same ways out. */
async function viaTree(v) {
  await v.command('coauthor.pending.focus');
  await v.page.locator('.pane-body .monaco-list-row', { hasText: 'You edited the same lines' }).waitFor();
  await v.command('coauthor.client.resolve');
  const row = v.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Keep my lines' });
  await row.waitFor();
  await row.click();
}

/** A request that takes long has a message with Cancel, which stops it. */
async function cancel(v) {
  await v.command('workbench.action.closeSidebar'); // the chat has a button of its own
  await v.open('greet.py');
  await at(v, 0, 0, 2, 0);
  await ask(v, 'take your time');
  const robot = await typing(v, 'greet.py', 5);
  const toast = await v.toast('take your time');
  await v.shot('changes-3-cancel');
  const typed = await robot.stop();
  await toast.hover();
  await toast.locator('.monaco-button', { hasText: 'Cancel' }).click();
  await until('nothing runs', async () => !(await v.page.locator('[id*="coauthor.status"] .codicon-loading').count()));
  await until('the message is gone', async () => (await v.page.locator('.notification-toast', { hasText: 'take your time' }).count()) === 0);
  assert.equal(await v.text('greet.py'), w.project['greet.py'].replace('"Bye, " + name', (x) => x + typed));
  await clear(v);
}

main([files, discard, lineEnds, conflict, cancel]);
