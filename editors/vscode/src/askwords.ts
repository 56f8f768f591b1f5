// What can be completed in an instruction: slash commands at its start, and files.

import * as vscode from 'vscode';

export interface Word {
  word: string;
  doc: string;
}

export async function complete(doc: vscode.TextDocument, at: vscode.Position, words: readonly Word[]): Promise<vscode.CompletionItem[]> {
  const before = doc.lineAt(at.line).text.slice(0, at.character);
  if (at.line === 0 && /^\/\w*$/.test(before)) {
    const over = new vscode.Range(0, 0, 0, at.character);
    return words.map(({ word, doc: says }) => {
      const item = new vscode.CompletionItem(`/${word}`, vscode.CompletionItemKind.Keyword);
      item.detail = says;
      item.range = over;
      return item;
    });
  }
  const named = /@([^\s@]*)$/.exec(before);
  if (!named) return [];
  const over = new vscode.Range(at.line, at.character - named[0].length, at.line, at.character);
  const found = await vscode.workspace.findFiles(`**/*${(named[1] ?? '').replace(/[{}[\]*?!]/g, '')}*`, undefined, 50);
  return found.map((uri) => {
    const name = vscode.workspace.asRelativePath(uri, false);
    const item = new vscode.CompletionItem(`@${name}`, vscode.CompletionItemKind.File);
    item.insertText = name;
    item.range = over;
    return item;
  });
}
