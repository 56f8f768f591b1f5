// Everything by keys in VS Code, in every kind of colours: node keyboard.js WORLD.json
const { assert, label, disk, insist, at, write, boxed, ready, clear, main, until, sleep, inside } = require('./scene');

/** Types as a user does, a key each 100 ms. */
async function type(v, text) {
  for (const key of text) await v.page.keyboard.type(key, { delay: 100 });
}

/** What has the focus in the page of the chat: its tag, and its words; undefined when the focus is elsewhere. */
async function focused(v) {
  if (!(await inside(v, 'iframe'))) return undefined;
  const frame = await v.chat();
  return frame.evaluate(() => {
    const e = document.activeElement;
    return `${e.tagName.toLowerCase()} ${e.getAttribute('aria-label') ?? e.textContent}`;
  });
}

const box = async (v) => (await v.chat()).locator('footer textarea');
const entries = async (v) => (await v.chat()).locator('article').count();
const inDiff = async (v) => (await inside(v, '.editor-instance')) && /^coauthor-new:/.test((await v.active()) ?? '');

/** Keys that come before the box is there are in the box, in their order; the file and what is selected in it are as they were. */
async function early(v) {
  const selected = () => v.api(`return vscode.window.visibleTextEditors.find((e) => e.document.uri.path.endsWith('/greet.py')).selections.map((s) => [s.start.line, s.start.character, s.end.line, s.end.character])`);
  await v.open('greet.py');
  await ready(v);
  await at(v, 4, 0);
  await type(v, 'mine');
  const text = disk('greet.py').replace('def part', 'minedef part');
  await until('it is typed', async () => (await v.text('/greet.py')) === text);
  const words = 'be polite (to all), and short';
  const cases = [[words, 20, [0, 0, 2, 0]], [words, 30, [4, 4, 4, 4]], [words, 50, [1, 11, 1, 16]], ['politely', 20, [0, 0, 0, 0]], ['politely', 20, [0, 4, 0, 9]]];
  for (const [instruction, pace, place] of cases) {
    await at(v, ...place);
    await write(v, instruction, pace);
    assert.deepEqual(await selected(), [place], 'something else is selected');
    await v.page.keyboard.press('Control+A');
    await v.page.keyboard.press('Delete');
    await v.page.keyboard.press('Escape');
    await until('the file has the focus', async () => /^file:/.test((await v.active()) ?? '') && inside(v, '.editor-instance'));
    assert.deepEqual(await selected(), [place], 'something else is selected');
    if (instruction === words) continue;
    await v.page.keyboard.press('Control+Z');
    await at(v, 9, 0); // what it does is done then
    assert.equal(await v.text('/greet.py'), text, 'undo brings the keys back');
  }
  await until('all is undone', async () => !(await label(v, /^greet\.py/)).dirty || v.page.keyboard.press('Control+Z'));
  assert.equal(await v.text('/greet.py'), disk('greet.py'));
  await clear(v);
}

/** The chat is opened, written into, sent and left by keys; keys that come in two are not the page's. */
async function chords(v) {
  await v.open('main.py');
  await v.open('greet.py');
  await ready(v);
  await at(v, 0, 0);
  await v.page.keyboard.press('Control+K');
  await v.page.keyboard.press('j');
  await until('the chat has the focus', async () => (await focused(v)) === 'textarea Message');
  await type(v, 'be polite');
  await v.page.keyboard.press('Shift+Enter');
  await type(v, 'in English');
  assert.equal(await (await box(v)).inputValue(), 'be polite\nin English');
  await v.page.keyboard.press('Enter');
  await until('the change waits', async () => /3 files pending/.test(await v.status()));
  await until('the diff is open', () => label(v, /^greet\.py \(1 of 3/));
  assert.equal(await focused(v), 'textarea Message', 'the diff took the focus');
  await type(v, 'kept');
  await v.page.keyboard.press('Control+K');
  await v.page.keyboard.press('Control+Enter');
  await type(v, ' for later');
  assert.equal(await (await box(v)).inputValue(), 'kept for later', 'the second key of a pair was sent, or written');
  assert.equal(await entries(v), 1);
  await v.page.keyboard.press('Control+K');
  await v.page.keyboard.press('g');
  await until('the diff has the focus', () => inDiff(v));
  assert.equal(await (await box(v)).inputValue(), 'kept for later', 'the second key of a pair was written');
}

/** Hunks and files are decided on where they are seen. */
async function hunks(v) {
  await v.page.keyboard.press('Control+Home');
  await v.page.keyboard.press('Alt+F5');
  await v.page.keyboard.press('Control+Enter');
  await until('the first hunk is in the file', async () => (await v.text('/greet.py')).includes('Good day, '));
  await until('one hunk is left', async () => (await v.page.locator('.editor-instance .codelens-decoration a', { hasText: 'Discard' }).count()) === 1);
  assert.ok(await inDiff(v), 'the focus is lost');
  await v.page.keyboard.press('Alt+F5');
  await v.page.keyboard.press('Control+Delete');
  await until('the next file has taken its place', async () => (await inDiff(v)) && (await label(v, /^main\.py \(/))?.active);
  assert.ok(!(await v.text('/greet.py')).includes('+ "!"'), 'what was discarded is there');
  await v.page.keyboard.press('Control+Shift+Enter');
  await until('the file is accepted', async () => /dear world/.test(await v.text('/main.py')));
  await until('one file is left', async () => /1 file pending/.test(await v.status()));
}

/** The tree is gone to, opened from, and decided in; what its buttons do is in its menu. */
async function tree(v) {
  await v.page.keyboard.press('F1');
  await until('the list of commands has the focus', () => inside(v, '.quick-input-widget'));
  await type(v, 'Focus on Pending Changes');
  await v.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Focus on Pending Changes' }).first().waitFor();
  await v.page.keyboard.press('Enter');
  const list = '.monaco-list[aria-label="Pending Changes"]';
  await until('the tree has the focus', () => inside(v, list));
  await v.page.keyboard.press('End');
  const row = v.page.locator(`${list} .monaco-list-row.focused`);
  await until('the last row is the file', async () => /test_greet\.py/.test(await row.innerText()));
  await v.page.keyboard.press('Enter');
  await until('its diff has the focus', async () => (await inDiff(v)) && (await v.active()).endsWith('test_greet.py'));
  await v.command('coauthor.pending.focus');
  await until('the tree has the focus again', () => inside(v, list));
  await v.page.keyboard.press('Shift+F10');
  const entry = v.page.locator('.monaco-menu .action-label', { hasText: 'Discard File' });
  await entry.waitFor();
  await v.shot('keyboard-tree-menu');
  await until('the menu has the focus', () => inside(v, '.monaco-menu, .shadow-root-host'));
  await v.page.keyboard.press('ArrowDown');
  await v.page.keyboard.press('ArrowDown');
  await until('the entry has the focus', () => v.page.locator('.monaco-menu .action-item.focused', { hasText: 'Discard File' }).count());
  await v.page.keyboard.press('Enter');
  await until('nothing waits', async () => !/pending/.test(await v.status()));
}

/** Tab goes through the chat as one reads it, and all of it can be pressed. */
async function order(v) {
  await v.command('coauthor.client.chat');
  await until('the chat has the focus', async () => (await focused(v)) === 'textarea Message');
  const back = [];
  for (let i = 0; i < 8; i++) {
    await v.page.keyboard.press('Shift+Tab');
    back.unshift(await focused(v));
    if (back[0] === 'main Conversation') break;
  }
  assert.deepEqual(back, ['main Conversation', 'button greet.py', 'button main.py', 'button test_greet.py', 'button Copy', 'button Retry', 'button Undo'].slice(0, back.length));
  assert.equal(back.length, 7, 'something of the answer cannot be come to');
  for (const _ of back) await v.page.keyboard.press('Tab');
  assert.equal(await focused(v), 'textarea Message');
  const on = [];
  for (let i = 0; i < 3; i++) {
    await v.page.keyboard.press('Tab');
    on.push(await focused(v));
  }
  assert.deepEqual(on, ['select Kind of request', 'button Send', 'button scripted']);
  await v.page.keyboard.press('Enter');
  await until('the models are offered', () => v.page.locator('.quick-input-list .monaco-list-row').count());
  await until('their list has the focus', () => inside(v, '.quick-input-widget'));
  await v.page.keyboard.press('Escape');
  await until('the list is closed', async () => !(await v.page.locator('.quick-input-widget').isVisible()));
  assert.ok(!(await label(v, /models/)), 'the list is open as a document, too');
}

/** What runs is stopped, and what is asked in the box below the selection is answered; nothing is lost on the way. */
async function asking(v) {
  // The list that was closed gives the focus back to the file, on a slow machine after the chat has got it.
  await insist('the chat has the focus', () => v.command('coauthor.client.chat'), async () => (await focused(v)) === 'textarea Message');
  await v.page.keyboard.press('Enter'); // what was kept
  const frame = await v.chat();
  await frame.locator('article[data-state=running] .line', { hasText: 'Writing' }).waitFor();
  await v.page.keyboard.press('Escape');
  await frame.locator('article[data-state=stopped]', { hasText: 'kept for later' }).waitFor();
  assert.equal(await focused(v), 'textarea Message');

  await v.open('greet.py');
  await at(v, 0, 0, 2, 0);
  await write(v, 'what is greet for?');
  await v.page.keyboard.press('Escape');
  await until('the question has the focus', () => inside(v, '.monaco-dialog-box'));
  await v.page.keyboard.press('Escape'); // the text stays
  await until('the box has the focus again', () => boxed(v));
  assert.equal(await v.api('return vscode.window.activeTextEditor.document.getText()'), 'what is greet for?');
  await v.command('workbench.action.focusActiveEditorGroup');
  await until('the file has the focus', async () => /^file:/.test((await v.active()) ?? ''));
  await v.api("return vscode.commands.executeCommand('coauthor.client.boxAsk').then(() => true)"); // as a key of the user's does
  await v.page.locator('.review-widget .monaco-editor').first().click();
  await until('the box has the focus again', () => boxed(v));
  assert.equal(await v.api('return vscode.window.activeTextEditor.document.getText()'), 'what is greet for?', 'the text is gone');
  await v.page.keyboard.press('Control+Shift+Enter');
  await until('the file has the focus', async () => /^file:/.test((await v.active()) ?? '') && inside(v, '.editor-instance'));
  await frame.locator('article[data-state=done] pre code', { hasText: 'greet("you")' }).waitFor();
  await v.page.keyboard.press('Control+K');
  await v.page.keyboard.press('a');
  await until('the box is open', () => boxed(v));
  await v.page.keyboard.press('Alt+ArrowUp');
  await until('the box has what was asked before', async () => (await v.api('return vscode.window.activeTextEditor.document.getText()')) === 'what is greet for?');
}

/** Each text of the chat with how it stands out against what is behind it, and buttons of which no edge is to be seen. */
function look() {
  const parse = (c) => {
    const [r = 0, g = 0, b = 0, a = 1] = (c.match(/[\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
    return { r, g, b, a };
  };
  const over = (f, b) => ({ r: f.r * f.a + b.r * (1 - f.a), g: f.g * f.a + b.g * (1 - f.a), b: f.b * f.a + b.b * (1 - f.a), a: 1 });
  const light = (c) => {
    const part = (x) => (x / 255 <= 0.03928 ? x / 255 / 12.92 : ((x / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * part(c.r) + 0.7152 * part(c.g) + 0.0722 * part(c.b);
  };
  const ratio = (one, other) => {
    const [dark, bright] = [light(one), light(other)].sort((a, b) => a - b);
    return (bright + 0.05) / (dark + 0.05);
  };
  const probe = document.createElement('div'); // in which the browser makes of a colour what it reads
  probe.style.color = getComputedStyle(document.documentElement).getPropertyValue('--vscode-sideBar-background');
  document.body.append(probe);
  const page = parse(getComputedStyle(probe).color);
  probe.remove();
  const behind = (e) => {
    const layers = [];
    for (let x = e; x; x = x.parentElement) layers.unshift(parse(getComputedStyle(x).backgroundColor));
    return layers.reduce((b, f) => over(f, b), page);
  };
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const e = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || e.tagName === 'SCRIPT' || !e.checkVisibility({ opacityProperty: true }) || e.closest('.unseen')) continue;
    texts.push([walker.currentNode.data.trim().slice(0, 20), ratio(over(parse(getComputedStyle(e).color), behind(e)), behind(e))]);
  }
  const edgeless = [...document.querySelectorAll('button, select, textarea, pre')].filter((e) => e.checkVisibility({ opacityProperty: true }) && !e.matches('.tools *, .foot *, .copy')).filter((e) => {
    const around = behind(e.parentElement);
    const edge = over(parse(getComputedStyle(e).borderTopColor), around);
    return ratio(edge, around) < 1.1 && ratio(behind(e), around) < 1.1;
  });
  const s = getComputedStyle(document.activeElement);
  return { kind: document.body.className, texts, edgeless: edgeless.map((e) => e.textContent || e.tagName), ring: s.outlineStyle === 'none' ? 0 : ratio(parse(s.outlineColor), page) };
}

/** Whatever the colours are: texts can be read, buttons look like some, and one sees where the focus is. */
async function colours(v) {
  const themes = { 'Light Modern': 'vscode-light', 'Dark Modern': 'vscode-dark', 'Default High Contrast': 'vscode-high-contrast', 'Default High Contrast Light': 'vscode-high-contrast-light' };
  const frame = await v.chat();
  for (const [theme, kind] of Object.entries(themes)) {
    await v.set('workbench.colorTheme', theme);
    await until(`the chat is in ${theme}`, async () => (await frame.evaluate(() => document.body.className)).split(' ').includes(kind));
    await v.page.locator('.review-widget .monaco-editor').first().click();
    await v.shot(`keyboard-box-${kind.slice(7)}`);
    await frame.locator('footer textarea').focus();
    await v.page.keyboard.press('Tab');
    await until('Tab has gone on', async () => (await focused(v)) === 'select Kind of request');
    const seen = await frame.evaluate(look);
    await v.shot(`keyboard-chat-${kind.slice(7)}`);
    assert.ok(seen.texts.length > 10);
    const least = /high-contrast/.test(kind) ? 5 : 4.5;
    assert.deepEqual(seen.texts.filter(([, r]) => r < least), [], `${theme}: texts that cannot be read`);
    assert.deepEqual(seen.edgeless, [], `${theme}: no edge is to be seen`);
    assert.ok(seen.ring >= 3, `${theme}: the focus cannot be seen (${seen.ring})`);
  }
  await v.set('workbench.colorTheme');
}

main([early, chords, hunks, tree, order, asking, colours]);
