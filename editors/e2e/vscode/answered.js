// Questions in VS Code that are answered late: node answered.js WORLD.json
const { assert, w, disk, insist, at, ask, typing, ready, clear, main, until } = require('./scene');

const question = (name) => `The model wants to change ${name}, which it has not seen.`;

/** What the tree says. */
const rows = (v) => v.page.locator('.pane-body .monaco-list-row').allInnerTexts();

/** Asks for a change of which a part is in a file that is not open, and does not look at the message that comes. */
async function asked(v, name) {
  await v.open('greet.py');
  await ready(v);
  await v.command('workbench.action.closeSidebar');
  await at(v, 0, 0, 2, 0);
  await ask(v, 'be polite');
  const robot = await typing(v, 'greet.py', 5);
  await v.toast(question(name));
  await v.command('notifications.clearAll');
  await until('the message is gone', async () => (await v.page.locator('.notification-toast', { hasText: 'skip it' }).count()) === 0);
  await until('the status bar says it', async () => /your answer is needed/.test(await v.status()));
  return robot;
}

/** The message has gone by, the user went on typing: the question stands in the chat, the tree and the status bar, and is answered there. */
async function answeredLate(v) {
  const robot = await asked(v, 'main.py');
  await robot.stop();
  await v.command('coauthor.pending.focus');
  await until('the tree has it', async () => (await rows(v)).some((r) => r.includes(question('main.py'))));
  assert.ok((await rows(v)).some((r) => r.includes('add main.py to the chat')));
  await v.command('coauthor.client.chat');
  const frame = await v.chat();
  const card = frame.locator('.question', { hasText: question('main.py') });
  await card.waitFor();
  await v.shot('answered-1-asked');
  assert.deepEqual(await card.locator('button').allInnerTexts(), ['add main.py to the chat', 'skip it']);
  await frame.locator('footer textarea').fill('and then?');
  await frame.locator('footer textarea').press('Enter');
  await frame.locator('.waiting', { hasText: 'Waiting for your answer above.' }).locator('button', { hasText: 'Remove' }).click();
  await until('it is taken back', async () => (await frame.locator('.waiting').count()) === 0);
  await v.command('workbench.view.explorer'); // the page is thrown away
  await v.command('coauthor.client.chat');
  const again = await v.chat();
  assert.match(await v.status(), /your answer is needed/);
  await again.locator('.question button', { hasText: 'add main.py' }).click();
  await until('all of it waits', async () => /3 files pending/.test(await v.status()));
  await again.locator('.asked', { hasText: 'Your answer: add main.py to the chat' }).waitFor();
  assert.equal(await again.locator('.question').count(), 0);
  assert.ok(!(await rows(v)).some((r) => r.includes(question('main.py'))));
  await v.command('workbench.action.closeSidebar');
  await insist('it is in the files', () => v.command('coauthor.client.acceptAll'), async () => /dear world/.test((await v.text('/main.py')) ?? ''));
  await clear(v);
}

/** What the user left out is said in the chat and in the tree, and can be had after all. */
async function leftOut(v) {
  const robot = await asked(v, 'shop.py');
  await robot.stop();
  await v.page.locator('[id*="coauthor.status"]').first().click();
  const row = v.page.locator('.quick-input-list .monaco-list-row', { hasText: 'skip it' });
  await row.waitFor();
  await v.shot('answered-2-status');
  await row.click();
  await until('the rest waits', async () => /1 file pending/.test(await v.status()));
  await v.command('coauthor.pending.focus');
  await until('the tree says what is missing', async () => (await rows(v)).some((r) => r.includes('Left out: shop.py')));
  await v.command('coauthor.client.chat');
  const frame = await v.chat();
  const left = frame.locator('article').last().locator('.left');
  await left.getByText('Left out: shop.py is not one of the files of this request').waitFor();
  await v.shot('answered-3-left-out');
  await left.locator('button', { hasText: 'Ask again' }).click();
  await until('it has joined the change', async () => /2 files pending/.test(await v.status()));
  await v.shot('answered-4-whole');
  await until('nothing is left out any more', async () => !(await rows(v)).some((r) => r.includes('Left out')));
  await v.command('workbench.action.closeSidebar');
  await insist('it is in the files', () => v.command('coauthor.client.acceptAll'), async () => /SHOP = 2/.test((await v.text('/shop.py')) ?? ''));
  await clear(v);
}

/** Who stops the request takes its question back. */
async function stopped(v) {
  const robot = await asked(v, 'late.py');
  await v.command('coauthor.cancel');
  await until('nothing is asked any more', async () => !/answer is needed/.test(await v.status()));
  await robot.stop();
  assert.equal(await v.text('/greet.py').then((t) => /Good day/.test(t)), false);
  await clear(v);
}

/** Presses a button of the question that begins so. */
async function reply(frame, text, button) {
  const card = frame.locator('.question', { hasText: text });
  await card.locator('button', { hasText: button }).click();
  await card.waitFor({ state: 'detached' });
}

/** The commands that an answer suggests are buttons below it, and stand in the list of the command that runs one. */
async function suggested(v) {
  await v.open('greet.py');
  await v.command('coauthor.client.chat');
  const frame = await v.chat();
  await frame.locator('footer select').selectOption('ask');
  await frame.locator('footer textarea').fill('how do I try it?');
  await frame.locator('footer textarea').press('Enter');
  const buttons = frame.locator('article').last().locator('.commands button');
  await until('there is a button for each', async () => (await buttons.allInnerTexts()).join() === 'Run echo one | tee one.txt,Run echo two | tee two.txt');
  await v.shot('answered-5-commands');
  await v.command('coauthor.run');
  const row = v.page.locator('.quick-input-list .monaco-list-row', { hasText: 'echo two' });
  await row.waitFor();
  await v.shot('answered-6-list');
  await row.click();
  await reply(frame, 'Run this command in', 'run echo two');
  await reply(frame, 'Add its output', 'do not add it');
  assert.equal(disk('two.txt'), 'two\n');
  await buttons.first().click();
  await frame.locator('.question', { hasText: 'Run this command in' }).waitFor();
  await v.shot('answered-7-consent');
  assert.equal(disk('one.txt'), undefined, 'it ran before it was allowed');
  await reply(frame, 'Run this command in', 'run echo one');
  await frame.locator('.question', { hasText: 'Add its output' }).waitFor();
  await v.shot('answered-8-output');
  await reply(frame, 'Add its output', 'add the output');
  assert.equal(disk('one.txt'), 'one\n');
  await clear(v);
}

/** A test that fails is driven to green: the first answer comes back with its assertion, the second one is shown. */
async function green(v) {
  const frame = await v.chat();
  await v.open('calc.py');
  const test = () => v.command('coauthor.test', { command: 'python3 -m unittest test_calc' });
  await test();
  await reply(frame, 'Always run python3 -m unittest test_calc', /^run /);
  await frame.locator('.question', { hasText: 'Ask the model to fix' }).waitFor();
  await v.shot('answered-9-fails');
  await reply(frame, 'Ask the model to fix', 'fix 1 problem');
  await until('the change waits', async () => /1 file pending/.test(await v.status()));
  await until('its diff is open', async () => (await v.tabs()).some((t) => /^calc\.py \(/.test(t.label)));
  await v.shot('answered-10-passes');
  await insist('it is in the file', () => v.command('coauthor.client.acceptAll'), async () => /a \+ b/.test((await v.text('/calc.py')) ?? ''));
  await v.command('notifications.clearAll');
  await test();
  await v.toast('1 test ✓');
  await v.shot('answered-11-green');
  await clear(v);
}

main([answeredLate, leftOut, stopped, suggested, green]);
