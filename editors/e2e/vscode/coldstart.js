// How long it takes in VS Code from the loading of the extension, with a file open, to the first code action of ours: node coldstart.js WORLD.json
const { assert, fs, path, w, main, until } = require('./scene');

const rounds = 5;

/** Runs in a new extension host as early as anything can: opens a file, and asks for code actions until there are some. */
const first = `
  const opened = Date.now();
  const doc = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, 'greet.py'));
  await vscode.window.showTextDocument(doc);
  for (;;) {
    const list = await vscode.commands.executeCommand('vscode.executeCodeActionProvider', doc.uri, new vscode.Range(0, 0, 2, 0));
    const ours = list.find((a) => a.title.startsWith('Coauthor: '));
    if (ours) {
      const there = Date.now();
      const loaded = globalThis.MonacoPerformanceMarks.getMarks().find((m) => /willLoadExtensionCode.*coauthor\.coauthor/.test(m.name));
      globalThis.measured = { title: ours.title, loaded: loaded && loaded.startTime, opened, there };
      return;
    }
    await new Promise((done) => setTimeout(done, 5));
  }
`;

/** Windows on folders that VS Code has never seen, one after the other: the extension and the server are new in each. */
async function coldStart(v) {
  for (let round = 0; round < rounds; round++) {
    let window = v;
    if (round > 0) {
      const dir = path.join(w.own, `cold${round}`);
      fs.mkdirSync(dir);
      fs.writeFileSync(path.join(dir, 'greet.py'), w.project['greet.py']);
      window = await v.another(`?folder=${encodeURIComponent(dir)}`);
    }
    const { title, loaded, opened, there } = await until('a code action is there', () => window.api('return globalThis.measured'));
    assert.match(title, /^Coauthor: /);
    assert.ok(loaded > 0, 'VS Code does not say when it has loaded the extension');
    // It is mostly loaded before the file is open, since VS Code has documents of its own: that counts from there.
    console.log(`first code action after ${Math.round(there - Math.min(loaded, opened))} ms`);
    if (window !== v) await window.leave();
  }
}

main([coldStart], { env: { ...w.env, PEEK_START: first } });
