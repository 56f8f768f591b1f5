// What the sessions have in common: the world, how a user asks, and what is told when something fails.
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { start, until, sleep } = require('./lib');

const w = JSON.parse(fs.readFileSync(process.argv[2], 'utf8'));
const began = Date.now();
const tell = (what) => console.log(`${((Date.now() - began) / 1000).toFixed(1)} s: ${what}`);

const label = async (v, pattern) => (await v.tabs()).find((t) => pattern.test(t.label));
const disk = (name) => (fs.existsSync(path.join(w.dir, name)) ? fs.readFileSync(path.join(w.dir, name), 'utf8') : undefined);

/**
 * Does something again and again until it has worked: an edit that meets a key on its way is refused, which a user is told.
 * On a machine that is so busy that there is a key on the way each time, whoever types rests their hands in the end.
 */
async function insist(what, act, condition, robot) {
  for (let tries = 0; ; tries++) {
    robot?.rest(tries > 2);
    await act();
    try {
      const value = await until(what, condition, 5000);
      robot?.rest(false);
      return value;
    } catch (err) {
      if (tries === 10) throw err;
    }
  }
}

/** Puts the cursor at a place of the file in front, with the focus in its editor, and waits until both are so and stay so. */
async function at(v, line, character = 0, toLine = line, toCharacter = character) {
  let calm = 0;
  await until('the cursor is there', async () => {
    const stood = await v.api(
      `async (vscode, ...place) => {
        const editor = vscode.window.activeTextEditor;
        const wanted = editor.document.validateRange(new vscode.Range(...place));
        if (editor.selection.start.isEqual(wanted.start) && editor.selection.end.isEqual(wanted.end)) return true;
        editor.selection = new vscode.Selection(wanted.start, wanted.end);
        editor.revealRange(wanted);
        return false;
      }`,
      line,
      character,
      toLine,
      toCharacter,
    );
    const focused = await inside(v, '.editor-instance');
    if (!focused) await v.api("return vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup').then(() => true)");
    calm = stood && focused ? calm + 1 : 0;
    await sleep(100);
    return calm === 3;
  });
}

/** Whether the browser's focus is inside an element. */
const inside = (v, selector) => v.page.evaluate((s) => Boolean(document.activeElement?.closest(s)), selector);

/** Opens the box for an instruction by key and writes into it at the robot's pace, without waiting for it; every key is counted. */
async function write(v, instruction, pace = 100) {
  const { page } = v;
  const { path: file } = await v.api('return vscode.window.activeTextEditor.document.uri');
  const before = await v.text(file);
  await page.keyboard.press('Control+K');
  await page.keyboard.press('a');
  for (const key of instruction) await page.keyboard.type(key, { delay: pace });
  await until('the box has every key', async () => (await boxed(v)) && (await v.api('return vscode.window.activeTextEditor.document.getText()')) === instruction);
  assert.equal(await v.text(file), before, 'keys of the instruction are in the file');
}

/** Whether the box for an instruction has the focus. */
const boxed = async (v) => /^comment:/.test((await v.active()) ?? '') && inside(v, '.review-widget');

/** Asks about the selection. */
async function ask(v, instruction) {
  await write(v, instruction);
  await v.page.keyboard.press('Control+Enter');
  await until('the box is closed', async () => /^(file|untitled):/.test((await v.active()) ?? ''));
}

/** A user who types at the end of a line of the file in front, and who stops; what was typed must be there, and nowhere else. */
async function typing(v, name, line) {
  await at(v, line, 999);
  const before = await v.text(name);
  const mark = `${before.split(/\r?\n/)[line]}`;
  // Documents other than this one with what the robot types; VS Code keeps closed ones for a while.
  const holding = async () => {
    const all = await v.api(
      '(vscode, name, piece) => vscode.workspace.textDocuments.filter((d) => !d.uri.path.endsWith(name) && d.getText().includes(piece)).map((d) => d.uri.toString())',
      name,
      words.slice(0, 12),
    );
    return all.filter((uri) => !/^(coauthor-|output:|comment:)/.test(uri));
  };
  const words = '  # typed 0123456789';
  const held = await holding();
  const robot = v.robot(words.slice(0, 10));
  return {
    rest: robot.rest,
    async stop() {
      robot.rest(false);
      await until('there is something to look for', () => robot.keys() >= 12);
      const typed = await robot.stop();
      const all = async () => (await v.text(name)).split(/\r?\n/);
      await until(`no key is lost in ${name}`, async () => (await all()).includes(mark + typed));
      assert.deepEqual((await holding()).filter((uri) => !held.includes(uri)), [], 'a key landed in another file');
      return typed;
    },
  };
}

/** Waits until the server answers. */
async function ready(v) {
  await until('the server is ready', async () => /Coauthor/.test(await v.status()) && !/not found|stopped/.test(await v.status()) && !(await v.page.locator('[id*="coauthor.status"] .codicon-loading').count()));
}

/** Closes all editors without saving, and puts the project's files back. */
async function clear(v) {
  await v.api(
    `async (vscode) => {
      for (const doc of vscode.workspace.textDocuments.filter((d) => d.isDirty)) {
        await vscode.window.showTextDocument(doc);
        await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      }
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await vscode.commands.executeCommand('notifications.clearAll');
    }`,
    0,
  );
  await until('all is closed', async () => (await v.tabs()).length === 0);
  for (const [name, text] of Object.entries(w.project)) {
    if (disk(name) !== text) fs.writeFileSync(path.join(w.dir, name), text);
  }
}

/** The processes of this test that fit. */
function processes(fits) {
  return fs.readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && fs.readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`HOME=${w.own}\0`) && fits(pid);
    } catch {
      return false;
    }
  });
}

const hosts = () => processes((pid) => fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--type=extensionHost'));
// The server starts processes of its own program, to read files: they are no servers.
const servers = () => processes((pid) => fs.readlinkSync(`/proc/${pid}/exe`) === w.server && fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[1] === 'serve');

/** Plays scenarios one after the other in a VS Code, and says what a user would have seen when one fails. */
async function play(scenarios, more = {}) {
  const v = await start({ ...w, ...more });
  tell('VS Code is up');
  try {
    for (const scenario of scenarios) {
      await scenario(v);
      tell(scenario.name);
    }
  } catch (err) {
    await v.shot(`failed-${path.basename(process.argv[1], '.js')}`);
    const say = async (what, ask) => console.log(what, JSON.stringify(await ask().catch((e) => `? ${e.message.split('\n')[0]}`)));
    await say('tabs', () => v.tabs());
    await say('active', () => v.active());
    await say('status', () => v.status());
    await say('texts', () => v.api("return vscode.workspace.textDocuments.filter((d) => d.uri.scheme === 'file' || d.uri.scheme.startsWith('coauthor')).map((d) => [d.uri.toString(), d.getText().slice(0, 600)])"));
    await say('toasts', () => v.page.locator('.notification-toast').allInnerTexts());
    await v.api("return vscode.commands.executeCommand('notifications.showList').then(() => true)").catch(() => undefined);
    await say('notifications', () => v.page.locator('.notification-list-item').allInnerTexts());
    console.log('console', v.console.map((l) => l.replaceAll(w.tools, '')).filter((l) => /oauthor/.test(l)).slice(-20).join('\n'));
    console.log(err.stack);
    process.exitCode = 1;
  }
  await v.stop();
  tell('ended');
}

const main = (scenarios, more) =>
  play(scenarios, more).catch((err) => {
    console.log(err.stack);
    process.exitCode = 1;
  });

module.exports = { assert, fs, path, w, tell, label, disk, insist, at, inside, write, boxed, ask, typing, ready, clear, processes, hosts, servers, play, main, until, sleep };
