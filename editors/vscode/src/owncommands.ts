// The commands that the extension carries out itself; those about a change are in decide.ts, those of the box in ask.ts.

import * as vscode from 'vscode';
import type { Answering, AnswerRef } from './answering';
import type { FirstRun } from './firstRun';
import type { Keys } from './keys';
import { background } from './log';
import { showMenu } from './menu';
import type { Proposals } from './proposals';
import type { Questions } from './questions';
import type { Reviews } from './review';
import { openSetting, type Server } from './server';
import type { Turns } from './turns';

export interface Parts {
  log: vscode.LogOutputChannel;
  server: Server;
  turns: Turns;
  proposals: Proposals;
  questions: Questions;
  reviews: Reviews;
  answering: Answering;
  firstRun: FirstRun;
  keys: Keys;
  /** Learns what is set up now. */
  learn(): Promise<void>;
}

export function ownCommands(p: Parts): vscode.Disposable[] {
  const own = (id: string, run: (arg?: unknown) => unknown) =>
    vscode.commands.registerCommand(`coauthor.client.${id}`, (arg?: unknown) => background(p.log, id, () => Promise.resolve(run(arg))));
  return [
    own('menu', () => showMenu(p.turns, p.proposals, p.questions, p.reviews.isActive)),
    own('answer', (arg) => p.answering.open(arg as Partial<AnswerRef> | undefined)),
    own('chat', () => vscode.commands.executeCommand('coauthor.chat.focus')),
    own('restart', () => p.server.restart()),
    own('setting', () => openSetting()),
    own('showLog', () => p.log.show()),
    own('addKey', () => p.firstRun.addKey()),
    own('forgetKey', () => p.keys.forget().then(() => p.learn())),
    own('findLocal', () => p.firstRun.findLocal()),
    own('walkthrough', () => vscode.commands.executeCommand('workbench.action.openWalkthrough', 'coauthor.coauthor#coauthor.start', false)),
  ];
}
