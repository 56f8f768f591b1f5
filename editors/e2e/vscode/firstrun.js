// The first minute of a newcomer in VS Code, from a clean profile: no key, a model on this machine, then a key of their own.
// node firstrun.js WORLD.json
const http = require('node:http');
const { assert, fs, path, w, tell, at, ask, typing, clear, main, until } = require('./scene');

const key = 'sk-of-a-newcomer';

/** A model server at one of the usual ports, as a user would have started it: what it is sent goes to the scripted one. */
function localServer() {
  const to = new URL(w.model);
  const server = http.createServer((request, response) => {
    const headers = { ...request.headers, host: to.host, authorization: `Bearer ${key}` };
    const next = http.request({ host: to.hostname, port: to.port, path: request.url, method: request.method, headers }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    next.on('error', () => response.destroy());
    request.pipe(next);
  });
  const ports = { 11434: 'ollama', 1234: 'lmstudio', 8000: 'vllm', 8080: 'llamacpp' };
  return new Promise((done, failed) => {
    const left = Object.keys(ports).map(Number);
    const next = () => {
      const port = left.shift();
      if (port === undefined) return failed(new Error('none of the usual ports is free'));
      server.once('error', next);
      server.listen(port, '127.0.0.1', () => done({ name: ports[port], server }));
    };
    next();
  });
}

const globally = (v) => v.api("return vscode.workspace.getConfiguration('coauthor').inspect('model.name').globalValue ?? null");

/** Without the program that is what is said first, with the way to get it: not that a model is missing, and not after an instruction was written. */
async function noProgram(v) {
  await v.set('coauthor.server.path', '/nowhere/coauthor');
  await v.command('coauthor.client.chat');
  const frame = await v.chat();
  await frame.locator('.welcome', { hasText: '/nowhere/coauthor does not exist' }).waitFor();
  assert.deepEqual(await frame.locator('.welcome button').allInnerTexts(), ['How to install it', 'Set its path', 'Try again']);
  await v.command('notifications.clearAll');
  await v.shot('firstrun-0-no-program');
  await v.open('greet.py');
  for (const command of ['coauthor.edit', 'coauthor.client.addKey', 'coauthor.client.findLocal']) {
    await v.command(command);
    const toast = await v.toast('/nowhere/coauthor does not exist');
    assert.ok((await toast.locator('.monaco-button').allInnerTexts()).includes('How to Install'), command);
    assert.match(await v.active(), /^file:/, command);
    assert.equal(await v.page.locator('.quick-input-widget:visible').count(), 0, command);
    await v.command('notifications.clearAll');
    await until('no message is left', async () => (await v.page.locator('.notification-toast').count()) === 0);
  }
  await v.set('coauthor.server.path');
  await until('three buttons take its place', async () => /on this machine/.test((await frame.locator('.welcome button').allInnerTexts()).join()));
}

/** Nothing is set up: three buttons, and a message with buttons where a request comes to nothing. */
async function nothingSetUp(v) {
  await v.command('coauthor.client.chat');
  const frame = await v.chat();
  const buttons = frame.locator('.welcome button');
  await until('there are three buttons', async () => (await buttons.count()) === 3);
  assert.match((await buttons.allInnerTexts()).join(), /on this machine.*API key.*environment/s);
  await until('the status says so', async () => /choose a model/.test(await v.status()));
  await v.shot('firstrun-1-buttons');
  await v.open('greet.py');
  await at(v, 0, 0, 2, 0);
  await ask(v, 'be polite');
  const toast = await v.toast('There is no API key');
  assert.deepEqual(await toast.locator('.monaco-button').allInnerTexts(), ['Add an API Key', 'Find a Model on This Machine', 'Check the Setup']);
  await v.shot('firstrun-2-no-key');
  assert.equal(await v.text('greet.py'), w.project['greet.py']);
}

/** A server on this machine is found, and answers. */
async function onThisMachine(v) {
  const { name, server } = await localServer();
  try {
    const began = Date.now();
    await v.press('There is no API key', 'Find a Model on This Machine');
    const row = v.page.locator('.quick-input-list .monaco-list-row', { hasText: `${name}/scripted` });
    await row.waitFor();
    await v.shot('firstrun-3-found');
    await row.click();
    await until('it is ready', async () => !/choose a model/.test(await v.status()));
    const frame = await v.chat();
    await until('the chat names it', async () => (await frame.locator('footer .model').innerText()) === `${name}/scripted`);
    await until('it is kept without another click', async () => (await globally(v)) === `${name}/scripted`);
    tell(`a model on this machine is ready ${((Date.now() - began) / 1000).toFixed(1)} s after it was looked for`);
    await v.open('greet.py');
    await at(v, 0, 0, 2, 0);
    await ask(v, 'from here');
    const robot = await typing(v, 'greet.py', 5);
    await until('the change is there', async () => /1 file pending/.test(await v.status()));
    await robot.stop();
    await v.command('coauthor.client.discardAll');
    await until('nothing waits', async () => !/pending/.test(await v.status()));
    await v.command('notifications.clearAll');
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** A key goes into the secret storage and to the server, and nowhere else. */
async function ownKey(v) {
  await v.set('coauthor.apiBase', w.model);
  await v.set('coauthor.apiKeyEnv', 'OPENAI_API_KEY');
  await v.open('greet.py');
  await v.command('coauthor.client.addKey');
  const input = v.page.locator('.quick-input-widget input').first();
  await input.waitFor();
  await v.page.keyboard.type('openai', { delay: 100 });
  await v.page.locator('.quick-input-list .monaco-list-row', { hasText: /^openai/ }).first().click();
  await until('the key is asked for, masked', async () => (await v.page.locator('.quick-input-widget input[type=password]').count()) === 1);
  await v.page.keyboard.type(key, { delay: 100 });
  await v.shot('firstrun-4-key');
  await v.page.keyboard.press('Enter');
  await until('the model is asked for', async () => /Choose the model/.test(await v.page.locator('.quick-input-widget').innerText()));
  await v.page.keyboard.type('scripted', { delay: 100 });
  await until('it is in the list', () => v.page.locator('.quick-input-list .monaco-list-row', { hasText: 'scripted' }).count());
  await v.page.keyboard.press('Enter');
  const frame = await v.chat();
  await until('it is kept', async () => (await globally(v)) === 'scripted');
  await until('it is in force', async () => (await frame.locator('footer .model').innerText()) === 'scripted');
  await v.open('greet.py');
  await at(v, 0, 0, 2, 0);
  await ask(v, 'with my key');
  const robot = await typing(v, 'greet.py', 5);
  await until('the change is there', async () => /1 file pending/.test(await v.status()));
  await robot.stop();
  assert.deepEqual((await v.tabs()).filter((t) => /doctor/.test(t.label)), [], 'the check opened a document');
  const holds = [];
  const look = (dir) => {
    for (const e of fs.readdirSync(dir, { withFileTypes: true })) {
      const name = path.join(dir, e.name);
      if (e.isDirectory()) look(name);
      else if (e.isFile() && name !== process.argv[2] && fs.readFileSync(name).includes(key)) holds.push(name);
    }
  };
  look(w.own);
  look(w.dir);
  assert.deepEqual(holds, [], 'the key is written down');
}

/** The report that the user asks for opens beside their file, and takes no key. */
async function report(v) {
  await v.command('coauthor.client.discardAll');
  await until('nothing waits', async () => !/pending/.test(await v.status()));
  await clear(v);
  await v.open('greet.py');
  await at(v, 5, 999);
  await v.command('coauthor.doctor');
  const shown = await until('the report is there', async () => (await v.tabs()).find((t) => /doctor/.test(t.label)));
  assert.equal(shown.column, 2, 'it is over the file');
  await v.page.keyboard.type('  # still here', { delay: 20 });
  await until('the keys are in the file', async () => /# still here/.test(await v.text('greet.py')));
  await v.shot('firstrun-5-report');
}

main([noProgram, nothingSetUp, onThisMachine, ownKey, report]);
