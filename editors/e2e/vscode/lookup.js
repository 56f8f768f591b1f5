// The model looks around, and the other language servers of the editor know more than the index: node lookup.js WORLD.json
const { ask, at, main, ready, until } = require('./scene');

/** Another extension knows what stands where. Then the user asks for a change. */
async function lookedUp(v) {
  await v.open('greet.py');
  await ready(v);
  await v.api(`(vscode) => {
    const file = (name) => vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, name);
    const place = (name, line) => new vscode.Location(file(name), new vscode.Range(line, 0, line, 1));
    const word = (doc, position) => doc.getText(doc.getWordRangeAtPosition(position));
    vscode.languages.registerDefinitionProvider('python', { provideDefinition: (doc, position) => (word(doc, position) === 'greet' ? [place('greet.py', 0)] : []) });
    vscode.languages.registerReferenceProvider('python', { provideReferences: () => [place('main.py', 0), new vscode.Location(vscode.Uri.file('/usr/lib/python3/site.py'), new vscode.Range(4, 0, 4, 1))] });
    vscode.languages.registerHoverProvider('python', { provideHover: () => new vscode.Hover('greet(name) -> str') });
    vscode.languages.createDiagnosticCollection('phrases').set(file('main.py'), [Object.assign(new vscode.Diagnostic(new vscode.Range(0, 0, 0, 4), 'unknown phrase', vscode.DiagnosticSeverity.Warning), { source: 'phrases' })]);
    return true;
  }`, 0);
  await at(v, 0, 0, 2, 0);
  await ask(v, 'be polite');
  await until('the change waits', async () => /1 file pending/.test(await v.status()));
}

main([lookedUp]);
