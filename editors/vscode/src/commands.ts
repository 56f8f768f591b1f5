// The server's commands in the palette, in menus and in code actions. What a command needs to know is asked for here.

import * as vscode from 'vscode';
import type { InstructionBox } from './ask';
import { commandRows, type CommandRow } from './generated';
import { background } from './log';
import { choosesModel, keepModel } from './models';
import { method, type Transcript } from './protocol';
import type { Server } from './server';
import { targetOf, type Target } from './target';
import { line } from './text';

/** Commands of which the server itself asks for what is missing, or that need nothing to be useful. */
const asksNothing = new Set([
  'answer', 'resolve', 'takeAttempt', 'fix', 'openPrompt', 'runAction', 'showRepoMap', 'refreshRepoMap', 'showContext', 'copyContext',
  'commit', 'diff', 'review', 'listModels', 'lint', 'test', 'regenerate', 'goAhead', 'entrypoint', 'selfHeal', 'preprompts', 'rewind', 'askAgain',
]);

/** Commands about files, which the explorer may name. */
const aboutFiles = new Set(['addFile', 'addReadOnly', 'dropFile', 'lint']);

/** Commands that answer and change nothing, for which no folder is needed. */
const answers = new Set(['ask', 'help', 'explain', 'followUp', 'runAction', 'showRepoMap', 'refreshRepoMap', 'showContext', 'copyContext', 'goAhead', 'regenerate']);

/** With this a command does nothing. */
const warmUp = 'warm-up';

interface Result {
  status?: string;
  model?: string;
  turnId?: string;
}

export class Commands {
  /** A turn was started with these words, by this command. */
  started: (turnId: string, words: string, id: string, argument: Record<string, unknown>) => void = () => undefined;
  /** Sends a command, and keeps what was written for it where that fails. */
  offer: (row: CommandRow, argument: Record<string, unknown>) => Promise<unknown> = (row, argument) => this.send(row, argument);
  /** Another model may be in force. */
  chosen: () => Promise<void> = () => Promise.resolve();
  /** Commands that this extension carries out itself. */
  readonly own = new Map<string, (argument: Record<string, unknown>) => Promise<unknown>>();

  constructor(
    private readonly server: Server,
    private readonly box: InstructionBox,
    private readonly pickModel: (prompt: string) => Promise<string | undefined>,
    private readonly log: vscode.LogOutputChannel,
  ) {}

  /** Registers every command of the table; they are there before the server is. */
  register(): vscode.Disposable[] {
    return commandRows.map((row) =>
      vscode.commands.registerCommand(row.command, (...args: unknown[]) => background(this.log, row.title, () => this.invoke(row, args))),
    );
  }

  /**
   * Has VS Code run the commands that ask for an instruction as soon as their key is pressed. At the first use it asks the
   * extension host first, and keys that come meanwhile are in the file before anything of ours hears of the command; to run it
   * from here counts as that use.
   */
  warm(): void {
    for (const row of commandRows.filter((r) => r.bare?.name === 'instruction' && !asksNothing.has(r.id))) {
      void vscode.commands.executeCommand(row.command, warmUp);
    }
  }

  private async invoke(row: CommandRow, args: unknown[]): Promise<void> {
    if (args[0] === warmUp) return;
    const argument = this.argumentOf(row, args);
    const own = this.own.get(row.id);
    if (own) {
      await own(argument);
      return;
    }
    if (this.server.problem) await this.server.present(); // not even a moment is waited otherwise: see below
    const picks = choosesModel(row.id) && argument['model'] === undefined;
    const chosen = await this.complete(row, argument);
    if (!chosen) return;
    await this.offer(chosen, argument);
    if (picks) await keepModel(row.id, text(argument['model']));
  }

  /** Sends a command; what becomes of one that is refused as busy is the caller's. */
  async send(row: CommandRow, argument: Record<string, unknown>): Promise<Result | undefined> {
    const result = await this.server.run<Result>(row.command, argument);
    if (result?.turnId && result.status === 'started') {
      this.started(result.turnId, typeof argument['instruction'] === 'string' ? argument['instruction'] : row.title, row.id, argument);
    }
    if (result?.model !== undefined) await this.chosen();
    return result;
  }

  /** What a menu, a code action or a key came with. */
  private argumentOf(row: CommandRow, args: unknown[]): Record<string, unknown> {
    const [first, second] = args;
    if (aboutFiles.has(row.id) && first instanceof vscode.Uri) {
      const chosen = Array.isArray(second) && second.length > 0 ? (second as vscode.Uri[]) : [first];
      return { files: chosen.map((u) => u.toString()) };
    }
    if (first && typeof first === 'object' && !(first instanceof vscode.Uri)) return { ...first };
    return {};
  }

  /** Adds the place and asks for what is missing. The command may become another one; undefined: the user thought better of it. */
  private async complete(row: CommandRow, argument: Record<string, unknown>): Promise<CommandRow | undefined> {
    if (row.fields.includes('uri') && argument['uri'] === undefined) {
      const target = targetOf(vscode.window.activeTextEditor, this.server.client);
      for (const field of ['uri', 'range', 'version', 'diagnostics'] as const satisfies (keyof Target)[]) {
        if (row.fields.includes(field) && argument[field] === undefined && target[field] !== undefined) argument[field] = target[field];
      }
    }
    const { bare } = row;
    if (bare?.name === 'instruction' && !answers.has(row.id) && !hasFolder(argument)) {
      await tellNoFolder();
      return undefined;
    }
    if (!bare || argument[bare.name] !== undefined || asksNothing.has(row.id)) return row;
    if (bare.name === 'instruction') {
      // Nothing is waited for before this: the first keys may come right behind the command.
      const asked = await this.box.ask(row.title, row.id === 'edit' || row.id === 'ask' ? row.id : 'send');
      if (!asked) return undefined;
      argument['instruction'] = asked.text;
      return asked.how === 'send' ? row : rowOf(asked.how);
    }
    const given = row.id === 'run' ? await this.shellCommand(row, bare, argument) : await this.word(row, bare);
    if (given === undefined) return undefined;
    argument[bare.name] = bare.list ? [given] : given;
    return row;
  }

  /** One of the commands that the last answer suggests, or one that the user types. */
  private async shellCommand(row: CommandRow, bare: NonNullable<CommandRow['bare']>, argument: Record<string, unknown>): Promise<string | undefined> {
    const uri = argument['uri'];
    const last = await this.server.request<Transcript>(method.getTranscript, { limit: 1, ...(uri !== undefined && { uri }) }).catch(() => undefined);
    const suggested = last?.entries.at(-1)?.commands ?? [];
    if (suggested.length === 0) return this.word(row, bare);
    const rows = suggested.map((command) => ({ label: line(command, 80), command }));
    const other = { label: 'Type another command…', command: '' };
    const picked = await vscode.window.showQuickPick([...rows, other], { title: `Coauthor: ${row.title}`, placeHolder: 'Commands suggested by the last answer' });
    return picked === other ? this.word(row, bare) : picked?.command;
  }

  private async word(row: CommandRow, bare: NonNullable<CommandRow['bare']>): Promise<string | undefined> {
    if (choosesModel(row.id)) return this.pickModel(row.title);
    if (bare.values.length > 0) return vscode.window.showQuickPick([...bare.values], { title: `Coauthor: ${row.title}`, placeHolder: bare.doc });
    const typed = await vscode.window.showInputBox({ title: `Coauthor: ${row.title}`, prompt: bare.doc, ignoreFocusOut: true });
    return typed?.trim() || undefined;
  }
}

/** An argument that is text; '' for any other. */
function text(argument: unknown): string {
  return typeof argument === 'string' ? argument : '';
}

/** Whether there is a folder in which something can be changed. */
function hasFolder(argument: Record<string, unknown>): boolean {
  return Boolean(vscode.workspace.workspaceFolders?.length) || text(argument['uri']).startsWith('file:');
}

/** Says that there is none, before the user writes an instruction, and helps. */
async function tellNoFolder(): Promise<void> {
  const folder = 'Open Folder';
  const save = 'Save This File';
  const buttons = vscode.window.activeTextEditor?.document.isUntitled ? [folder, save] : [folder];
  const picked = await vscode.window.showWarningMessage('Coauthor: open a folder to change something. You can ask questions without one.', ...buttons);
  if (picked === folder) await vscode.commands.executeCommand('workbench.action.files.openFolder');
  if (picked === save) await vscode.commands.executeCommand('workbench.action.files.saveAs');
}

/** The row of a command of which the table has one for sure. */
export function rowOf(id: string): CommandRow {
  const row = commandRows.find((r) => r.id === id);
  if (!row) throw new Error(`Unknown command: coauthor.${id}.`);
  return row;
}
