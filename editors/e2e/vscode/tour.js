// The main job once, from the selection to the undo, as the moving picture of the README shows it: node tour.js WORLD.json
// Each frame is a picture of the screen; frames.json says how long it is shown.
const { assert, fs, path, w, tell, label, at, boxed, ready, main, until } = require('./scene');

/** Clicks, and keeps the screen while the button is down: then the editor shows where. */
async function click(v, target) {
  await target.hover();
  await v.page.mouse.down();
  await frame(v, 500);
  await v.page.mouse.up();
}

/** A window of the size in which a page shows it, with nothing around the text but the status bar. */
const settings = {
  'workbench.activityBar.location': 'hidden',
  'window.commandCenter': false,
  'workbench.layoutControl.enabled': false,
  'workbench.navigationControl.enabled': false,
  'breadcrumbs.enabled': false,
  'editor.cursorBlinking': 'solid',
  'editor.fontSize': 15,
  'editor.lineNumbersMinChars': 3,
  'editor.folding': false,
  'editor.glyphMargin': false,
  'editor.scrollbar.verticalScrollbarSize': 6,
  'editor.overviewRulerBorder': false,
  'editor.hideCursorInOverviewRuler': true,
  'editor.occurrencesHighlight': 'off',
  'editor.matchBrackets': 'never',
  'screencastMode.keyboardOptions': { showKeys: false, showKeybindings: true, showCommands: false, showCommandGroups: false, showSingleEditorCursorMoves: false },
  'screencastMode.fontSize': 26,
  'screencastMode.verticalOffset': 8,
  'screencastMode.keyboardOverlayTimeout': 5000,
  'editor.renderWhitespace': 'none',
  'workbench.colorCustomizations': { 'scrollbarSlider.background': '#00000020', 'scrollbarSlider.hoverBackground': '#00000020' },
};
const size = { width: 1040, height: 560 };
const instruction = 'retry three times, and test it';

const frames = [];

/** Keeps the screen, and how many milliseconds of the picture it is shown. */
async function frame(v, ms) {
  const file = `tour-${String(frames.length).padStart(2, '0')}`;
  await v.shot(file);
  frames.push({ file: `${file}.png`, ms });
}

async function open(v) {
  await v.page.setViewportSize(size);
  await v.command('workbench.action.closeSidebar');
  await v.open('fetch.py');
  await ready(v);
  await until('nothing starts any more', async () => !/Activating/.test(await v.page.locator('.statusbar').innerText()));
  await v.command('workbench.action.toggleScreencastMode');
  await v.page.locator('.screencast-keyboard').waitFor({ state: 'attached' });
  await at(v, 3, 0, 3, 0);
  await frame(v, 1200);
}

async function request(v) {
  const { page } = v;
  for (let line = 0; line < 3; line++) await page.keyboard.press('Shift+ArrowDown');
  await frame(v, 700);
  await page.keyboard.press('Control+K');
  await page.keyboard.press('a');
  await until('the box has the focus', () => boxed(v));
  await frame(v, 900);
  for (let i = 0; i < instruction.length; i++) {
    await page.keyboard.type(instruction[i]);
    if (i % 3 === 2) {
      await until('the box has every key', async () => (await v.api('return vscode.window.activeTextEditor.document.getText()')) === instruction.slice(0, i + 1));
      await frame(v, 150);
    }
  }
  await frame(v, 600);
  await page.keyboard.press('Control+Enter');
  await until('the box is closed', async () => /^file:/.test((await v.active()) ?? ''));
  await until('it waits for the model', async () => /Waiting/.test(await v.page.locator('.statusbar').innerText()));
  await frame(v, 900);
  await fetch(w.release);
}

async function decide(v) {
  await until('the diff is open', () => label(v, /^fetch\.py \(1 of 2/));
  const lens = (title) => v.page.locator('.codelens-decoration a', { hasText: title });
  await until('both hunks can be decided on', async () => (await lens('Accept').count()) === 2);
  await frame(v, 2500);
  await click(v, lens('Accept').first());
  await until('the first hunk is in the file', async () => /import time/.test(await v.text('fetch.py')));
  await until('one hunk is left', async () => (await lens('Accept').count()) === 1);
  await frame(v, 1200);
  await click(v, lens('Accept').first());
  await until('the second hunk is in the file', async () => /time\.sleep/.test(await v.text('fetch.py')));
  await until('the new file has taken its place', () => label(v, /^test_fetch\.py \(/));
  await v.page.locator('.view-line', { hasText: 'test_retries' }).waitFor();
  await frame(v, 2000);
  await v.command('coauthor.client.acceptAll');
  await v.toast('Applied to 1 file');
  await frame(v, 2500);
}

async function undo(v) {
  const before = w.project['fetch.py'];
  await v.command('coauthor.undoTurn');
  await until('the request is undone', async () => (await v.text('fetch.py')) === before);
  await v.toast('Undid the change in 2 files');
  await frame(v, 2500);
  assert.equal(fs.readFileSync(path.join(w.dir, 'fetch.py'), 'utf8'), before, 'the file was saved');
  fs.writeFileSync(path.join(w.screens, 'frames.json'), JSON.stringify(frames));
  tell(`${frames.length} frames`);
}

main([open, request, decide, undo], { settings });
