// A workspace that the user does not trust: changes work, nothing that it brings counts, and what counts changes with the
// user's word. node trust.js WORLD.json
const { assert, w, label, insist, at, ask, typing, ready, main, until } = require('./scene');

async function restricted(v) {
  assert.equal(await v.api('return vscode.workspace.isTrusted'), false);
  await v.open('greet.py');
  await ready(v);
  await at(v, 0, 0, 2, 0);
  await ask(v, 'be polite');
  const robot = await typing(v, 'greet.py', 5);
  await until('the diff is open', () => label(v, /^greet\.py \(/));
  await insist('it is accepted', () => v.command('coauthor.client.acceptAll'), async () => (await v.text('greet.py')).includes('Good day, '), robot);
  await robot.stop();
  await v.shot('trust-1-restricted');
}

async function granted(v) {
  await v.command('workbench.trust.manage');
  const button = v.page.locator('.workspace-trust-editor .monaco-button, .workspace-trust-editor .trust-button', { hasText: /^Trust$/ }).first();
  await button.waitFor();
  await button.click();
  await until('it is trusted', () => v.api('return vscode.workspace.isTrusted'));
  await v.command('coauthor.client.chat');
  const frame = await v.chat();
  await frame.locator('footer select').selectOption('ask');
  await frame.locator('footer textarea').fill('is anybody there?');
  await frame.locator('footer textarea').press('Enter');
  await frame.locator('article[data-state=failed]', { hasText: '127.0.0.1:9' }).waitFor(); // where the workspace says
  const toast = await v.toast('127.0.0.1:9');
  assert.deepEqual(await toast.locator('.monaco-button').allInnerTexts(), ['Ask Again']);
  await v.shot('trust-2-granted');
}

main([restricted, granted], { settings: { 'security.workspace.trust.enabled': true, 'security.workspace.trust.startupPrompt': 'never', 'security.workspace.trust.banner': 'never', 'workbench.secondarySideBar.defaultVisibility': 'hidden' } });
