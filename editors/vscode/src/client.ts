// The language client: what it announces, what it keeps to itself, and what happens when the server ends.

import * as os from 'node:os';
import * as fs from 'node:fs';
import * as vscode from 'vscode';
import {
  CloseAction,
  ErrorAction,
  LanguageClient,
  ResponseError,
  type ApplyWorkspaceEditParams,
  type DynamicFeature,
  type LanguageClientOptions,
  type ServerOptions,
  type ShowDocumentParams,
  type ShowDocumentResult,
  type StaticFeature,
} from 'vscode-languageclient/node';
import { find, type Found } from './binary';
import { place } from './columns';
import { settingNames } from './generated';
import { protocolVersion } from './protocol';
import { chosen } from './settings';

/** What the server may send of its own methods. */
const announced = { inputBox: true, turn: true, stream: true, streamEdits: true, draft: true, pending: true, review: true, question: true, failures: true, lookUp: true };

class Client extends LanguageClient {
  override registerFeature(feature: StaticFeature | DynamicFeature<unknown>): void {
    // The extension registers every command itself, so that they are there before the server is.
    if ('registrationType' in feature && feature.registrationType.method === 'workspace/executeCommand') return;
    super.registerFeature(feature);
  }

  // What goes wrong is told by the extension, with what there is to do; here it goes into the log.
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

export interface Ends {
  /** The server ended by itself, after it had begun to answer. */
  gone(): void;
  /** An edit of the server is about to change documents; what is returned is called when it has. */
  landing(params: ApplyWorkspaceEditParams): (applied: boolean) => void;
}

/** The settings that are set, as the server is told them. */
export function settingsNow(): Record<string, unknown> {
  return chosen(vscode.workspace.getConfiguration('coauthor'), settingNames);
}

export function locate(context: vscode.ExtensionContext): Found {
  return find({
    setting: vscode.workspace.getConfiguration('coauthor').get<string>('server.path') ?? '',
    extension: context.extensionPath,
    home: os.homedir(),
    platform: process.platform,
    env: process.env,
    look,
  });
}

function look(file: string): 'program' | 'other' | 'nothing' {
  try {
    if (!fs.statSync(file).isFile()) return 'other';
    fs.accessSync(file, fs.constants.X_OK);
    return 'program';
  } catch (err) {
    return (err as NodeJS.ErrnoException).code === 'EACCES' ? 'other' : 'nothing';
  }
}

/** A .vsix that was packed on Windows has lost the right to execute. */
export function makeRunnable(file: string): void {
  try {
    if (process.platform !== 'win32') fs.chmodSync(file, 0o755);
  } catch {
    // Starting it says what is wrong.
  }
}

export function createClient(command: string, log: vscode.LogOutputChannel, ends: Ends): LanguageClient {
  const run = { command, args: ['serve'] };
  const server: ServerOptions = { run, debug: run };
  const options: LanguageClientOptions = {
    documentSelector: [{ scheme: 'file' }, { scheme: 'untitled' }],
    outputChannel: log,
    initializationOptions: () => ({
      client: 'vscode-module',
      hasInput: true,
      trusted: vscode.workspace.isTrusted,
      settings: settingsNow(),
    }),
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue, handled: true }),
      // A client is for one process. One that starts another by itself confuses the two when the second ends while it starts:
      // it takes the end of the one for that of the other.
      closed: () => {
        if (client.initializeResult) ends.gone(); // else whoever starts it tells
        return { action: CloseAction.DoNotRestart, handled: true };
      },
    },
    initializationFailedHandler: () => false, // who starts it tells why, with what there is to do
    middleware: {
      workspace: {
        handleApplyEdit: async (params, next) => {
          const landed = ends.landing(params);
          const result = await next(params, new vscode.CancellationTokenSource().token);
          landed(!(result instanceof ResponseError) && result.applied);
          return result;
        },
        configuration: async (params, token, next) => {
          const all = await next(params, token);
          if (!Array.isArray(all)) return all;
          return all.map((value, i) => (params.items[i]?.section === 'coauthor' ? settingsNow() : (value as unknown)));
        },
        didChangeConfiguration: () => client.sendNotification('workspace/didChangeConfiguration', { settings: { coauthor: settingsNow() } }),
      },
      window: { showDocument: (params, token, next) => showAside(params, () => Promise.resolve(next(params, token))) },
      // Turns are told by coauthor/turn, and shown in the status bar with a way to stop them.
      handleWorkDoneProgress: () => undefined,
    },
  };
  const client = new Client('coauthor', 'Coauthor', server, options);
  client.registerFeature({
    fillClientCapabilities: (capabilities) => {
      capabilities.experimental = { ...(capabilities.experimental as object | undefined), coauthor: announced };
    },
    initialize: () => undefined,
    getState: () => ({ kind: 'static' }),
    clear: () => undefined,
  });
  return client;
}

/** Shows a document that nobody asked to be taken to: never over the one that the user is in. */
async function showAside(params: ShowDocumentParams, next: () => Promise<ShowDocumentResult | ResponseError>): Promise<ShowDocumentResult | ResponseError> {
  if (params.external || params.takeFocus) return next();
  const groups = vscode.window.tabGroups.all;
  const uri = vscode.Uri.parse(params.uri);
  const there = groups.find((g) => g.tabs.some((t) => t.input instanceof vscode.TabInputText && t.input.uri.toString() === uri.toString()));
  const where = place({ ours: there?.viewColumn, columns: groups.length, inChat: false, empty: groups.every((g) => g.tabs.length === 0) });
  const show = (viewColumn: vscode.ViewColumn, preserveFocus: boolean) => vscode.window.showTextDocument(uri, { viewColumn, preserveFocus, preview: true });
  try {
    if (where === 'notify') {
      void vscode.window.showInformationMessage(`Coauthor: ${uri.path.slice(uri.path.lastIndexOf('/') + 1)} is ready.`, 'Show').then((picked) => picked && show(vscode.ViewColumn.Active, false));
    } else {
      const { column } = where;
      await show(column === 'beside' ? vscode.ViewColumn.Beside : column === 'active' ? vscode.ViewColumn.Active : column, true);
    }
    return { success: true };
  } catch {
    return { success: false };
  }
}

/** What is wrong with a server that has answered; undefined for nothing. */
export function protocolProblem(client: LanguageClient): string | undefined {
  const experimental = client.initializeResult?.capabilities.experimental as { coauthor?: { protocol?: number } } | undefined;
  const spoken = experimental?.coauthor?.protocol;
  if (spoken === undefined) return 'The configured program is not Coauthor. Correct coauthor.server.path.';
  if (spoken === protocolVersion) return undefined;
  return spoken > protocolVersion
    ? 'The program coauthor is newer than this extension. Update the extension.'
    : 'The program coauthor is older than this extension. Update the program.';
}
