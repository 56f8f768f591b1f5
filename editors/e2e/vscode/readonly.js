// A folder that cannot be written, as on a file system that is only there to read: node readonly.js WORLD.json
const { execFileSync } = require('node:child_process');
const { assert, path, w, label, disk, insist, at, ask, typing, ready, main, until } = require('./scene');

const said = 'locked/test_greet.py cannot be created: the folder locked is read-only';

/** VS Code leaves all of a change when it cannot make one file of it: the user hears which one, and takes the others. */
async function others(v) {
  await v.open('main.py');
  await v.open('greet.py');
  await ready(v);
  await at(v, 0, 0, 2, 0);
  await ask(v, 'with a test');
  const robot = await typing(v, 'greet.py', 5);
  await until('the change waits', async () => /3 files pending/.test(await v.status()));
  const toast = v.page.locator('.notification-toast', { hasText: said });
  await insist('it is told', () => v.command('coauthor.client.acceptAll'), () => toast.count(), robot);
  await toast.first().hover(); // a message that is not looked at goes after a while
  assert.match(await toast.first().innerText(), /No files changed: .*Make it writable and try again/);
  assert.deepEqual(await toast.first().locator('.monaco-button').allInnerTexts(), ['Cancel', 'Apply the other files']);
  await v.shot('readonly-1-told');
  assert.ok(!/Good day/.test(await v.text('/greet.py')) && !/dear world/.test(await v.text('/main.py')), 'a part of it is there');
  robot.rest(true);
  await toast.first().locator('.monaco-button', { hasText: 'Apply the other files' }).click();
  await until('the others are there', async () => /Good day/.test(await v.text('/greet.py')) && /dear world/.test(await v.text('/main.py')));
  robot.rest(false);
  await until('one file is left', async () => /1 file pending/.test(await v.status()));
  await robot.stop();
  assert.equal(disk('locked/test_greet.py'), undefined);
}

/** It stays so for the file itself, until the folder can be written. */
async function writable(v) {
  await v.command('notifications.clearAll');
  await until('no message is left', async () => (await v.page.locator('.notification-toast').count()) === 0);
  await v.command('coauthor.client.acceptAll');
  // One of the messages before it may come late.
  const alone = v.page.locator('.notification-toast', { hasText: said }).filter({ hasNot: v.page.locator('.monaco-button') });
  await until('it is told, and there are no others to apply', () => alone.count());
  await v.shot('readonly-2-alone');
  execFileSync('mount', ['-o', 'remount,rw', path.join(w.dir, 'locked')]);
  // While the first one is still being told as refused, the change counts as being applied.
  await insist('the file is there', () => v.command('coauthor.client.acceptAll'), async () => /Good day, x/.test((await v.text('test_greet.py')) ?? '') && disk('locked/test_greet.py') !== undefined);
  await until('nothing waits', async () => !/pending/.test(await v.status()));
  await until('the diffs are closed', async () => !(await label(v, / of 3/)));
}

main([others, writable]);
