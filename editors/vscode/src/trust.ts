// Tells the server whether the user trusts the workspace. Until they do, nothing that the workspace brings is run.

import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { method } from './protocol';

export function watchTrust(client: () => LanguageClient | undefined, granted: () => void): vscode.Disposable {
  return vscode.workspace.onDidGrantWorkspaceTrust(() => {
    void client()?.sendNotification(method.setTrust, { trusted: true });
    granted(); // settings of the workspace count now, and may choose another model
  });
}
