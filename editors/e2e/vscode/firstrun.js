// The first minute of a newcomer in VS Code, from a clean profile: no key, a model on this machine, then a key of their own.
// node firstrun.js WORLD.json
const http = require('node:http');
const { assert, fs, path, w, tell, at, ask, typing, main, until } = require('./scene');

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
  assert.deepEqual(await toast.locator('.monaco-button').allInnerTexts(), ['Add an API Key', 'Find a Model on This Machine', 'Check the Set-Up']);
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
  await until('it is in force', async () => (await frame.locator('footer .model').innerText()) === 'scripted');
  await v.open('greet.py');
  await at(v, 0, 0, 2, 0);
  await ask(v, 'with my key');
  const robot = await typing(v, 'greet.py', 5);
  await until('the change is there', async () => /1 file pending/.test(await v.status()));
  await robot.stop();
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

main([nothingSetUp, onThisMachine, ownKey]);
