// Where a change comes from and where it is shown in VS Code: a comment, another server's complaint, two columns, a diff that
// grows, the user's own undo, files of the chat. node places.js WORLD.json
const { assert, w, tell, label, disk, insist, at, ask, typing, ready, clear, main, until } = require('./scene');

/** Opens the menu of code actions by key and picks one. */
async function pick(v, title) {
  const row = v.page.locator('.action-widget .monaco-list-row', { hasText: title }).first();
  await insist(`the menu offers ${title}`, () => v.page.keyboard.press('Control+.'), () => row.count());
  await row.click();
}

/** A comment that is marked for the model is done. */
async function comment(v) {
  await ready(v);
  await v.open('greet.py');
  await at(v, 0, 0);
  for (const key of '# be polite AI!\n') await v.page.keyboard.type(key, { delay: 100 });
  await until('the comment is there', async () => (await v.text('greet.py')).startsWith('# be polite AI!\n'));
  await at(v, 0, 4);
  await pick(v, 'carry out this comment');
  await at(v, 6, 999);
  const robot = await typing(v, 'greet.py', 6);
  await until('the diff is open', () => label(v, /^greet\.py \(/));
  await insist('it is accepted', () => v.command('coauthor.client.acceptAll'), async () => (await v.text('greet.py')).includes('Good day, '), robot);
  await robot.stop();
  assert.ok(!(await v.text('greet.py')).includes('AI!'), 'the comment is still there');
  await clear(v);
}

/** What the JSON server of VS Code complains about is fixed, while somebody types into another file: into this one would be more to complain about. */
async function fix(v) {
  await v.open('data.json');
  const problems = () => v.api("return vscode.languages.getDiagnostics().filter(([uri]) => uri.path.endsWith('data.json')).flatMap(([, list]) => list.map((d) => `${d.source}: ${d.message}`))");
  const [problem] = await until('the other server complains', async () => ((await problems()).length > 0 ? problems() : undefined));
  assert.match(problem, /^jsonc?: Trailing comma/);
  const [line, character] = await v.api("const [, [d]] = vscode.languages.getDiagnostics().find(([uri]) => uri.path.endsWith('data.json')); return [d.range.start.line, d.range.start.character]");
  await at(v, line, character);
  await pick(v, /Coauthor: fix "Trailing comma/);
  await v.open('greet.py');
  const robot = await typing(v, 'greet.py', 5);
  await until('the diff is open', () => label(v, /^data\.json \(/));
  await v.shot('places-1-fix');
  await insist('it is accepted', () => v.command('coauthor.client.acceptAll'), async () => (await v.text('/data.json')) === '{\n  "a": 1\n}\n', robot);
  await until('the other server is content', async () => (await problems()).length === 0);
  await robot.stop();
  await clear(v);
}

/** With two columns nothing opens over what is read; a message has a button. */
async function twoColumns(v) {
  await v.open('greet.py');
  await v.api("(vscode, file) => vscode.window.showTextDocument(vscode.Uri.file(file), { viewColumn: 2, preserveFocus: true, preview: false }).then(() => true)", `${w.dir}/main.py`);
  await at(v, 0, 0, 2, 0);
  await ask(v, 'in two columns');
  const robot = await typing(v, 'greet.py', 5);
  await v.toast('a change is ready');
  const tabs = await v.tabs();
  assert.deepEqual(tabs.map((t) => [t.label, t.column]), [['greet.py', 1], ['main.py', 2]], 'a tab was opened');
  await v.shot('places-2-two-columns');
  const typed = await robot.stop();
  await v.press('a change is ready', 'Show');
  await until('the diff is in a column of its own', async () => (await label(v, /^greet\.py \(/))?.column === 3);
  tell(`${typed.length} keys, none lost`);
  await v.command('coauthor.client.discardAll');
  await until('nothing waits', async () => !/pending/.test(await v.status()));
  await clear(v);
}

/** While the model writes, the change grows in the chat, in the tree, and in the diff that is opened from there. */
async function grows(v) {
  await v.command('coauthor.client.chat');
  const frame = await v.chat();
  await v.open('greet.py');
  await at(v, 0, 0, 2, 0);
  await ask(v, 'slowly');
  const robot = await typing(v, 'greet.py', 5);
  const chip = frame.locator('article[data-state=running] .chip', { hasText: 'greet.py +1 -1' });
  await chip.waitFor();
  await v.page.locator('.pane-body .monaco-list-row', { hasText: 'being written' }).first().waitFor();
  await robot.stop();
  await v.command('coauthor.showPending');
  await until('the growing diff is open', () => label(v, /being written/));
  await v.page.locator('.editor-instance .view-line', { hasText: 'Good day' }).first().waitFor();
  await v.shot('places-3-grows');
  assert.equal(await v.page.locator('.codelens-decoration a', { hasText: 'Accept' }).count(), 0, 'what is being written can be accepted');
  await until('its new side has the first hunk', async () => /Good day/.test((await v.text('greet.py', 'coauthor-draft')) ?? ''));
  await fetch(w.release);
  await until('it has become the change', async () => (await label(v, /^greet\.py \(/)) && !(await label(v, /being written/)));
  await until('both hunks can be decided on', async () => (await v.page.locator('.codelens-decoration a', { hasText: 'Accept' }).count()) === 2);
  await v.command('coauthor.client.discardAll');
  await until('nothing waits', async () => !/pending/.test(await v.status()));
  await v.command('workbench.action.closeSidebar');
  await clear(v);
}

/**
 * Ctrl+Z takes back the texts and not the new file: that is told, with the rest of it on a button. Somebody types until the change
 * is there: what came after it would be what Ctrl+Z takes back.
 */
async function ownUndo(v) {
  await v.open('greet.py');
  await at(v, 0, 0, 2, 0);
  await ask(v, 'with a test');
  const robot = await typing(v, 'greet.py', 5);
  await until('two files wait', async () => /2 files pending/.test(await v.status()));
  const typed = await robot.stop();
  const before = w.project['greet.py'].replace('"Bye, " + name', (x) => x + typed);
  await v.command('coauthor.client.acceptAll');
  await until('it is accepted', async () => (await v.text('/greet.py')).includes('Good day, ') && ((await v.text('polite_test.py')) !== null || disk('polite_test.py') !== undefined));
  await until('nothing waits', async () => !/pending/.test(await v.status()));
  await v.open('greet.py');
  await at(v, 0, 0);
  await v.page.keyboard.press('Control+Z');
  await until('the text is as it was', async () => (await v.text('/greet.py')) === before);
  const toast = await v.toast('the change was undone');
  await v.shot('places-4-own-undo');
  await toast.hover();
  await toast.locator('.monaco-button', { hasText: 'Undo the Rest' }).click();
  await until('the new file is gone', () => disk('polite_test.py') === undefined);
  await until('it is undone', async () => (await v.text('/greet.py')) === before);
  await clear(v);
}

/**
 * Files that are added to the chat are listed there, and can be taken out again. Somebody types in the chat meanwhile, and goes on
 * without another click when the click on a file has taken it out.
 */
async function chatFiles(v) {
  await v.command('coauthor.client.chat');
  const frame = await v.chat();
  const box = frame.locator('footer textarea');
  await box.click();
  const first = v.robot('typed ');
  await v.api("(vscode, file) => { vscode.commands.executeCommand('coauthor.addFile', vscode.Uri.file(file)); }", `${w.dir}/main.py`);
  const chip = frame.locator('.files .chip', { hasText: 'main.py' });
  await chip.waitFor();
  await v.shot('places-5-chat-files');
  const before = await first.stop();
  await chip.locator('button.drop').click();
  await until('it is out of the chat', async () => (await chip.count()) === 0);
  const second = v.robot(' more ');
  await until('some keys are pressed', () => second.keys() > 5);
  const after = await second.stop();
  await until('no key is lost in the chat', async () => (await box.inputValue()) === before + after);
  await v.command('workbench.action.closeSidebar');
}

main([comment, fix, twoColumns, grows, ownUndo, chatFiles]);
