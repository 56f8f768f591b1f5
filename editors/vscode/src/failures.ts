// Tells how a request ended that came to nothing, with the button that helps.

import * as vscode from 'vscode';
import { line } from './text';
import type { Turn } from './turns';

export interface Ways {
  askAgain(turnId: string): Thenable<unknown>;
  addKey(): Thenable<unknown>;
  findLocal(): Thenable<unknown>;
  check(): Thenable<unknown>;
}

export async function tellFailure(turn: Turn, unready: boolean, ways: Ways): Promise<void> {
  const buttons: [string, () => Thenable<unknown>][] = unready
    ? [
        ['Add an API Key', () => ways.addKey()],
        ['Find a Model on This Machine', () => ways.findLocal()],
        ['Check the Setup', () => ways.check()],
      ]
    : [['Ask Again', () => ways.askAgain(turn.id)]];
  const picked = await vscode.window.showErrorMessage(`Coauthor: ${turn.message || 'The request failed.'}`, ...buttons.map(([name]) => name));
  await buttons.find(([name]) => name === picked)?.[1]();
}

/** The process that waited for a request was killed. */
export async function tellCut(turnId: string, words: string, ways: Ways): Promise<void> {
  const picked = await vscode.window.showWarningMessage(`Coauthor: a request was interrupted: “${line(words, 60)}”. No files changed.`, 'Ask Again');
  if (picked) await ways.askAgain(turnId);
}
