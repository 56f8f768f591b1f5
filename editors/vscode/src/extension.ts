// Wiring: who is there, and who hears what. Start here.

import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { Answering, askLine } from './answering';
import { InstructionBox } from './ask';
import { AskedBefore } from './asked';
import { Chat } from './chat/host';
import { Talk } from './chat/talk';
import { ChatActions } from './chat/actions';
import { Commands } from './commands';
import { Decisions } from './decide';
import { Diffs } from './diff';
import { Documents } from './documents';
import { Drafts } from './drafts';
import { tellCut, tellFailure, type Ways } from './failures';
import { FirstRun } from './firstRun';
import { commandRows } from './generated';
import { Keys } from './keys';
import { Lenses } from './lenses';
import { background, createLog, message } from './log';
import { lookUp } from './lookup';
import { pickModel } from './models';
import { ownCommands } from './owncommands';
import { OwnUndo } from './ownundo';
import { PendingChanges } from './pending';
import { Progress } from './progress';
import { Proposals } from './proposals';
import { method, type DraftParams, type LookUpParams, type Pending, type QuestionParams, type Review, type StreamParams, type TurnParams } from './protocol';
import { Questions } from './questions';
import { Reviews } from './review';
import { Sending } from './sending';
import { Server } from './server';
import { Status } from './status';
import { Tree } from './tree';
import { watchTrust } from './trust';
import { isRunning, Turns } from './turns';

/** Settings are told to the server by another listener; after this the server is asked what they came to. */
const settingsSettled = 300;

let server: Server | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const log = createLog();
  const running = (server = new Server(context, log));
  const turns = new Turns(Date.now);
  const proposals = new Proposals();
  const drafts = new Drafts();
  const documents = new Documents(proposals, drafts, (p, file) => running.request(method.getTexts, { turnId: p.turnId, proposalId: p.proposalId, uri: file.uri }));
  const talk = new Talk();
  const asked = new AskedBefore(context.workspaceState);
  const questions = new Questions();
  const status = new Status(turns, proposals, questions);
  const sending = new Sending(context.workspaceState, turns, running, () => chat.isVisible);
  const answering: Answering = new Answering(running, questions, () => chat.isVisible, (text) => chat.draft(text), log);
  const actions = new ChatActions(sending, questions, answering, running, turns, talk, asked, documents, drafts, status);
  const chat: Chat = new Chat(context.extensionUri, talk, actions, log);
  const diffs = new Diffs(documents, proposals, drafts, () => chat.inFocus);
  const decisions = new Decisions(running, proposals, drafts, documents, diffs, log);
  const tree = new Tree(proposals, drafts, questions, (id) => turns.get(id)?.left ?? []);
  const lenses = new Lenses(documents);
  const reviews = new Reviews(running);
  const progress = new Progress(() => chat.isVisible, (id) => questions.isAsked(id), (turnId) => running.run('coauthor.cancel', { turnId }));
  const box = new InstructionBox(context.workspaceState, () => commandRows.filter((r) => r.word).map((r) => ({ word: r.word, doc: r.title })));
  const commands = new Commands(running, box, (title) => pickModel(running, title), log);
  const keys = new Keys(context.secrets, context.globalState, running);
  const firstRun = new FirstRun(running, keys, () => actions.learn(chat));
  actions.firstRun = firstRun;
  sending.commands = commands;
  sending.changed = () => chat.waiting();
  commands.offer = (row, argument) => sending.offer(row, argument);
  const ways: Ways = {
    askAgain: (id) => actions.retry(id),
    addKey: () => firstRun.addKey(),
    findLocal: () => firstRun.findLocal(),
    check: () => firstRun.check(),
  };
  const ownUndo = new OwnUndo(turns, (turn) => chat.turn(turn), (turnId) => running.run('coauthor.undoTurn', { turnId }));
  running.landing = (params) => ownUndo.landing(params);

  const setContext = (name: string, value: unknown) => void vscode.commands.executeCommand('setContext', `coauthor.${name}`, value);
  const refresh = () => {
    tree.refresh();
    lenses.refresh();
    status.refresh();
    setContext('pending', proposals.count() > 0);
    setContext('running', turns.running().length > 0);
  };
  const pending = new PendingChanges(proposals, drafts, documents, diffs, refresh, log);
  const heard = (p: TurnParams) => {
    const { turn, over } = turns.changed(p);
    chat.turn(turn);
    progress.turn(turn);
    status.refresh();
    setContext('running', turns.running().length > 0);
    if (p.state === 'undone') ownUndo.forget(turn.id);
    if (over) {
      asked.ended(turn.id);
      if (turn.state !== 'proposed' && pending.unwritten(turn.id)) chat.files(turn.id, []);
      if (turn.state === 'failed') background(log, 'a failure', tellFailure(turn, p.unready ?? false, ways));
      background(log, 'status', actions.learn(chat)); // the user may have let files in
      background(log, 'send', sending.over(turn));
    } else if (p.usage) chat.foot();
  };

  running.wire = (client: LanguageClient) => {
    client.onNotification(method.turn, heard);
    client.onNotification(method.stream, (p: StreamParams) => chat.grew(turns.streamed(p)));
    client.onNotification(method.draft, (p: DraftParams) => {
      const draft = pending.wrote(p, turns.of(p.turnId).label);
      chat.files(p.turnId, draft.files.map((f) => actions.chip(draft, f)));
    });
    client.onNotification(method.question, (p: QuestionParams) => {
      if (questions.take(p)) answering.tell(p);
      const turn = turns.answered(p);
      if (turn) [chat, progress].forEach((shows) => shows.turn(turn));
      chat.waiting();
      refresh();
    });
    client.onNotification(method.pendingMoved, () => documents.refreshSoon());
    client.onNotification(method.pending, (p: Pending) => {
      pending.take(p);
      chat.files(p.turnId, p.files.map((f) => actions.chip(p, f)));
    });
    client.onNotification(method.review, (p: Review) => reviews.take(p));
    client.onRequest(method.lookUp, (p: LookUpParams) => lookUp(client, p));
    client.onRequest(method.inputBox, askLine);
  };
  running.health = (now) => {
    status.set(now);
    chat.foot();
    setContext('ready', now === 'ready');
    if (now === 'ready') background(log, 'start', () => started());
  };
  running.gone = () => {
    for (const turn of turns.cutAll()) {
      chat.turn(turn);
      progress.turn(turn);
      asked.ended(turn.id);
      pending.unwritten(turn.id);
    }
    questions.clear();
    background(log, 'send', sending.queue.over('wrong', 'Not sent: the server stopped.'));
    chat.waiting();
    reviews.clear();
    refresh();
  };
  /** A server has begun to answer: it is told the keys, and asked what waits since before. */
  const started = async () => {
    await keys.tell();
    await actions.learn(chat);
    const left = await running.request<Pending | null>(method.getPending, {}).catch(() => null); // it refuses when nothing waits
    if (left) pending.adopt(left);
    const review = await running.request<Review | null>(method.getReview, {}).catch(() => null);
    if (review) reviews.take(review);
    await diffs.closeStale();
    for (const cut of asked.takeCut()) {
      const turn = turns.cut(cut.turnId);
      chat.turn(turn, cut.words);
      background(log, 'a request that was cut off', tellCut(turn.id, cut.words, ways));
    }
  };

  commands.started = (id, words, command, argument) => {
    const turn = turns.of(id); // it may have come to its end before this
    asked.started({ turnId: id, words, command, argument }, isRunning(turn));
    chat.turn(turn, words);
    setContext('running', true);
  };
  commands.chosen = () => actions.learn(chat);
  actions.commands = commands;
  commands.own.set('showPending', (argument) => decisions.showPending(argument));

  context.subscriptions.push(
    log, running, documents, status, chat, tree, lenses, reviews, progress, box, ownUndo,
    ...commands.register(),
    ...decisions.register(),
    ...ownCommands({ log, server: running, turns, proposals, questions, reviews, answering, firstRun, keys, learn: () => actions.learn(chat) }),
    watchTrust(() => running.client, () => background(log, 'trust', actions.learn(chat))),
    vscode.workspace.onDidChangeConfiguration((e) => {
      if (e.affectsConfiguration('coauthor.server.path')) background(log, 'start', () => running.moved());
      else if (e.affectsConfiguration('coauthor')) setTimeout(() => background(log, 'settings', () => actions.learn(chat)), settingsSettled);
    }),
    vscode.window.onDidChangeActiveTextEditor(() => running.tellFocus()),
    vscode.window.onDidChangeVisibleTextEditors(() => running.tellFocus()),
  );
  commands.warm();
  sending.queue.restore();
  refresh();
  // Nobody waits: commands that come before it is there start it themselves.
  void running.start().catch((err: unknown) => log.error(message(err)));
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}
