// The page of the chat view as VS Code is given it: one script and one style, and nothing else that could run.

import * as crypto from 'node:crypto';
import * as vscode from 'vscode';

export function html(folder: vscode.Uri, webview: vscode.Webview): string {
  const nonce = crypto.randomBytes(16).toString('hex');
  const file = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(folder, 'dist', name)).toString();
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" nonce="${nonce}" href="${file('chat.css')}">
<title>Coauthor</title>
</head>
<body><script nonce="${nonce}" src="${file('chat.js')}"></script></body>
</html>`;
}
