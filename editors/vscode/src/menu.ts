// What the item in the status bar offers.

import * as vscode from 'vscode';
import type { Proposals } from './proposals';
import type { Questions } from './questions';
import type { Turns } from './turns';

export async function showMenu(turns: Turns, proposals: Proposals, questions: Questions, underReview: boolean): Promise<void> {
  const rows: (vscode.QuickPickItem & { command: string })[] = [];
  const row = (when: boolean, label: string, command: string, description = '') => {
    if (when) rows.push({ label, command, description });
  };
  const running = turns.running();
  const waiting = proposals.waiting().length > 0;
  row(questions.open().length > 0, '$(question) Answer…', 'coauthor.client.answer', questions.open()[0]?.text ?? '');
  row(running.length > 0, '$(debug-stop) Stop', 'coauthor.cancel', running[0]?.label ?? '');
  row(waiting, '$(diff) Show the pending change', 'coauthor.showPending');
  row(waiting, '$(check-all) Accept all', 'coauthor.client.acceptAll');
  row(waiting, '$(discard) Discard all', 'coauthor.client.discardAll');
  row(underReview, '$(check-all) Keep all changes under review', 'coauthor.keepAll');
  row(underReview, '$(discard) Undo all changes under review', 'coauthor.undoAll');
  row(true, '$(edit) Change…', 'coauthor.edit');
  row(true, '$(question) Ask…', 'coauthor.ask');
  row(true, '$(comment-discussion) Open the chat', 'coauthor.client.chat');
  row(true, '$(history) Undo last change', 'coauthor.undoTurn');
  row(true, '$(symbol-misc) Choose the model', 'coauthor.setModel');
  row(true, '$(key) Add an API key', 'coauthor.client.addKey');
  row(true, '$(pulse) Check the setup', 'coauthor.doctor');
  row(true, '$(debug-restart) Restart the server', 'coauthor.client.restart');
  row(true, '$(output) Show the log', 'coauthor.client.showLog');
  const picked = await vscode.window.showQuickPick(rows, { title: 'Coauthor' });
  if (picked) await vscode.commands.executeCommand(picked.command);
}
