// What a user does in VS Code with the extension, from the first request to the chat: node session.js WORLD.json
const { assert, fs, w, label, at, insist, write, typing, hosts, servers, main, tell, until } = require('./scene');

const greet = w.project['greet.py'];

/** Selects the first lines and writes an instruction. */
async function ask(v, instruction) {
  await v.page.keyboard.press('Control+Home');
  await v.page.keyboard.press('Shift+ArrowDown');
  await v.page.keyboard.press('Shift+ArrowDown');
  await write(v, instruction);
}

/** The first request, with a robot that types into the file from then on. */
async function firstRequest(v) {
  await v.open('main.py');
  await v.open('greet.py');
  await until('the server is ready', async () => /Coauthor/.test(await v.status()) && !/not found|stopped/.test(await v.status()));
  tell('open, and the server is ready');
  await v.page.locator('.monaco-editor .view-line').first().click();
  await ask(v, 'be polite');
  await v.shot('1-instruction');
  await v.page.keyboard.press('Control+Enter');
  await until('the box is closed', async () => /^file:.*greet\.py$/.test((await v.active()) ?? ''));
  await v.page.keyboard.press('Control+Home');
  for (let i = 0; i < 5; i++) await v.page.keyboard.press('ArrowDown'); // far from both hunks
  await v.page.keyboard.press('End');
  const robot = v.robot('  # typed ');
  await until('the diff is open', () => label(v, /^greet\.py \(1 of 3/));
  tell('the diff is open');
  await v.shot('2-pending');
  assert.match(await v.active(), /^file:.*greet\.py$/, 'the diff took the focus');
  assert.equal((await label(v, /^greet\.py \(1 of 3/)).column, 2, 'it covers what is being typed in');

  const lens = (n, title) =>
    v.api(
      `async (vscode, n, title) => {
        const doc = vscode.workspace.textDocuments.find((d) => d.uri.scheme === 'coauthor-new' && d.uri.path.endsWith('greet.py'));
        const list = await vscode.commands.executeCommand('vscode.executeCodeLensProvider', doc.uri, 50);
        const own = list.filter((l) => l.command?.title.endsWith(title));
        if (own.length > n) vscode.commands.executeCommand(own[n].command.command, ...own[n].command.arguments);
        return own.length;
      }`,
      n,
      title,
    );
  await until('both hunks have lenses', async () => (await lens(99, 'Accept')) === 2);
  await insist('the first hunk is in the file', () => lens(0, 'Accept'), async () => (await v.text('greet.py')).includes('Good day, '), robot);
  await until('one hunk is left', async () => (await lens(99, 'Accept')) === 1);
  assert.ok(!(await v.text('greet.py')).includes('+ "!"'), 'the second hunk came too');
  tell('one hunk is accepted');
  await insist('the rest is there', () => v.command('coauthor.client.acceptAll'), async () => (await v.text('greet.py')).includes('.upper() + "!"') && /dear world/.test(await v.text('main.py')), robot);
  await until('the new file is there', async () => (await v.text('tests/test_greet.py')) !== null || fs.existsSync(`${w.dir}/tests/test_greet.py`));
  await until('the diffs are closed', async () => (await v.tabs()).every((t) => !/ of 3/.test(t.label)));
  tell('all is accepted');
  await insist('the request is undone', () => v.command('coauthor.undoTurn'), async () => !/Good day|"!"/.test(await v.text('greet.py')) && (await v.text('main.py')) === w.project['main.py'], robot);
  const typed = await robot.stop();
  await until('no key is lost', async () => (await v.text('greet.py')) === greet.replace('"Bye, " + name', (line) => line + typed));
  assert.equal(await v.text('main.py'), w.project['main.py'], 'a key landed in another file');
  assert.equal(fs.readFileSync(`${w.dir}/greet.py`, 'utf8'), greet, 'the file was saved');
  tell(`undone; ${typed.length} keys, none lost`);
}

/**
 * The second request is decided on with the mouse. Somebody types until then: a click into the diff takes the keys there, which
 * is what it is for.
 */
async function byMouse(v) {
  const before = await v.text('greet.py');
  await v.open('greet.py');
  await v.page.locator('.monaco-editor .view-line').first().click();
  await ask(v, 'again please');
  await v.page.keyboard.press('Control+Enter');
  await until('the box is closed', async () => /^file:.*greet\.py$/.test((await v.active()) ?? ''));
  const robot = await typing(v, 'greet.py', 5);
  await until('the diff is open', () => label(v, /^greet\.py \(/));
  const typed = await robot.stop();
  await v.page.locator('.editor-instance .codelens-decoration a', { hasText: 'Accept' }).first().click();
  await until('the hunk is in the file', async () => (await v.text('greet.py')).includes('Good day, '));
  const left = v.page.locator('.codelens-decoration a', { hasText: 'Discard' });
  await until('one hunk is left', async () => (await left.count()) === 1);
  await v.shot('3-hunk-accepted');
  await left.click();
  await until('the next file has taken its place', () => label(v, /^main\.py \(/));
  await v.page.locator('.codelens-decoration a', { hasText: 'Accept' }).first().waitFor();
  await v.shot('4-next-file');
  await v.page.locator('.tabs-and-actions-container .action-label[aria-label^="Accept File"], .editor-actions .action-label[aria-label^="Accept File"]').first().click();
  await until('the file is accepted', async () => /dear world/.test(await v.text('main.py')));
  await v.command('workbench.view.extension.coauthor');
  await v.command('coauthor.pending.focus');
  await until('one file is left', async () => /1 file pending/.test(await v.status()));
  await v.page.locator('.pane-body .monaco-list-row', { hasText: 'test_greet.py' }).waitFor();
  await v.shot('5-tree');
  await v.command('coauthor.client.discardAll');
  await until('nothing is left', async () => !/pending/.test(await v.status()));
  assert.ok(!fs.existsSync(`${w.dir}/tests/test_greet.py`), 'a file that was discarded is there');
  await v.command('coauthor.undoTurn');
  await until('it is undone', async () => (await v.text('greet.py')) === before.replace(/("Bye, " \+ name.*)/, (line) => line + typed));
  tell('decided by mouse');
}

/** A change that is applied at once is marked in the file until it is kept or undone. */
async function underReview(v) {
  const before = await v.text('greet.py');
  const set = (value) => v.set('coauthor.preview.mode', value);
  await set('inline');
  await v.open('greet.py');
  await v.page.locator('.monaco-editor .view-line').first().click();
  await ask(v, 'at once');
  await v.page.keyboard.press('Control+Enter');
  await until('the box is closed', async () => /^file:.*greet\.py$/.test((await v.active()) ?? ''));
  const robot = await typing(v, 'greet.py', 5);
  let accepted = false;
  const decide = async () => {
    if (!/pending/.test(await v.status())) return;
    accepted = true; // it has met a key on its way and was kept back; what is accepted then is not under review any more
    await v.command('coauthor.client.acceptAll');
  };
  await insist('it is in the file', decide, async () => (await v.text('greet.py')).includes('Good night, '), robot);
  const typed = await robot.stop();
  await until('no diff is open', async () => !(await label(v, /^greet\.py \(/)));
  if (accepted) {
    await v.command('coauthor.undoTurn');
  } else {
    const lens = v.page.locator('.codelens-decoration a', { hasText: /^Undo/ }).first();
    await at(v, 5); // a robot that typed for long has moved the lens out of sight
    await lens.waitFor();
    await until('the line is marked', () => v.page.locator('.dirty-diff-glyph').count());
    await v.shot('6-under-review');
    await lens.click();
  }
  const after = before.replace(/("Bye, " \+ name.*)/, (line) => line + typed);
  await until('it is undone', async () => (await v.text('greet.py')) === after);
  await until('nothing is marked', async () => (await v.page.locator('.dirty-diff-glyph').count()) === 0);
  await set(undefined);
  tell('applied at once, and undone by its lens');
}

/** A question in the chat; whoever asked goes on typing there while it is answered. */
async function chat(v) {
  await v.command('coauthor.client.chat');
  const frame = await v.chat();
  await frame.locator('footer select').selectOption('ask');
  await frame.locator('footer textarea').click();
  await v.page.keyboard.type('what is greet for?', { delay: 20 });
  await v.page.keyboard.press('Enter');
  const robot = v.robot('next ');
  await frame.locator('article[data-state=running]').last().waitFor();
  await frame.locator('article[data-state=done] pre code', { hasText: 'greet("you")' }).waitFor();
  const typed = await robot.stop();
  const box = frame.locator('footer textarea');
  await until('no key is lost in the chat', async () => (await box.inputValue()) === typed);
  await box.fill('');
  const answer = frame.locator('article').last();
  assert.equal(await answer.locator('strong').innerText(), 'one name');
  assert.equal(await answer.locator('script, img').count(), 0, 'markup of the answer counts');
  assert.match(await frame.locator('footer .foot').innerText(), /scripted/);
  await v.shot('7-chat');
  await v.api("return vscode.workspace.getConfiguration('workbench').update('colorTheme', 'Default High Contrast', true).then(() => true)");
  await until('high contrast', () => v.page.locator('.monaco-workbench.hc-black').count());
  await v.shot('8-high-contrast');
  tell('the chat has answered');
}

/** The extension's process is killed while a change waits: the next one takes it up. */
async function hostCrash(v) {
  await v.open('greet.py');
  await v.page.locator('.monaco-editor .view-line').first().click();
  await ask(v, 'once more');
  await v.page.keyboard.press('Control+Enter');
  await until('the diff is open', () => label(v, /^greet\.py \(/));
  const robot = await typing(v, 'greet.py', 5);
  const [old] = hosts();
  assert.ok(old, 'no extension host runs');
  process.kill(Number(old), 'SIGKILL');
  await until('another one runs', async () => hosts().some((pid) => pid !== old) && (await v.api('return true')));
  await until('the change still waits', async () => /3 files pending/.test(await v.status()));
  await insist('it is accepted', () => v.command('coauthor.client.acceptAll'), async () => /Good day/.test((await v.text('greet.py')) ?? '') && /dear world/.test((await v.text('main.py')) ?? ''), robot);
  await robot.stop();
  tell('a change outlived the extension host');
}

/** The server is killed: it comes back by itself, and what was typed is there. */
async function crash(v) {
  const [old] = servers();
  assert.ok(old, 'no server runs');
  process.kill(Number(old), 'SIGKILL');
  await until('another server runs', () => servers().some((pid) => pid !== old));
  await until('it is ready', async () => /Coauthor/.test(await v.status()) && !/stopped|loading/.test(await v.status()));
  assert.equal(await v.page.locator('.monaco-dialog-box').count(), 0);
  await until('what is decided stays so', async () => !/Keep all/.test(await v.page.locator('.statusbar').innerText()));
  tell('the server came back');
}

/** The program is not where the setting says: a message with a button, and all is well once that is put right. */
async function missing(v) {
  const set = (value) => v.set('coauthor.server.path', value);
  await set('/nowhere/coauthor');
  const toast = v.page.locator('.notification-toast', { hasText: '/nowhere/coauthor does not exist' });
  await toast.waitFor();
  assert.ok((await toast.locator('.monaco-button').allInnerTexts()).includes('Open Setting'));
  assert.match(await v.status(), /program not found/);
  await v.shot('9-missing');
  await set(undefined);
  await until('it is ready again', async () => !/not found|stopped/.test(await v.status()));
  tell('a missing program is told');
}

main([firstRequest, byMouse, underReview, chat, crash, hostCrash, missing]);
