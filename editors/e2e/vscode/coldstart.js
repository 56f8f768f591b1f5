// How long it takes in VS Code from a file that is opened to the first code action of ours: node coldstart.js WORLD.json
const { assert, path, w, main } = require('./scene');

const rounds = 5;

/** Opens a file in a window in which the extension has not been needed yet, and asks for code actions until there are some. */
async function coldStart(v) {
  for (let round = 0; round < rounds; round++) {
    const other = await v.another(`?folder=${encodeURIComponent(w.dir)}`);
    const [active, took, title] = await other.api(
      `async (vscode, file) => {
        const ours = vscode.extensions.getExtension('coauthor.coauthor');
        const before = ours.isActive;
        const began = performance.now();
        const doc = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
        await vscode.window.showTextDocument(doc);
        for (;;) {
          const list = await vscode.commands.executeCommand('vscode.executeCodeActionProvider', doc.uri, new vscode.Range(0, 0, 2, 0));
          const first = list.find((a) => a.title.startsWith('Coauthor: '));
          if (first) return [before, performance.now() - began, first.title];
          await new Promise((done) => setTimeout(done, 5));
        }
      }`,
      path.join(w.dir, 'greet.py'),
    );
    assert.equal(active, false, 'the extension was there already');
    assert.match(title, /^Coauthor: /);
    console.log(`first code action after ${took.toFixed(0)} ms`);
    await other.page.close();
  }
}

main([coldStart]);
