// The server as the rest of the extension sees it: started, stopped, and asked.

import * as vscode from 'vscode';
import { State, type ApplyWorkspaceEditParams, type LanguageClient } from 'vscode-languageclient/node';
import { startProblem } from './binary';
import { createClient, locate, makeRunnable, protocolProblem } from './client';
import { message, Told } from './log';
import { method } from './protocol';
import { Restarts } from './restarts';

/** What there is to do about a server that does not run. */
const settingButton = 'Open Setting';
const howButton = 'How to Install';
const restartButton = 'Restart';
const logButton = 'Show Log';

export class Server implements vscode.Disposable {
  client: LanguageClient | undefined;
  /** Called with each new client before it starts. */
  wire: (client: LanguageClient) => void = () => undefined;
  /** What is known of the server has changed. */
  health: (now: 'starting' | 'ready' | 'stopped' | 'missing') => void = () => undefined;
  /** The server ended, whether or not it comes back. */
  gone: () => void = () => undefined;
  /** An edit of the server is about to change documents; what is returned is called when it has. */
  landing: (params: ApplyWorkspaceEditParams) => (applied: boolean) => void = () => () => undefined;
  private starting: Promise<void> | undefined;
  private command = '';
  /** Why it does not run; '' while it does, or nobody knows. */
  problem = '';
  private readonly restarts = new Restarts(Date.now);

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly log: vscode.LogOutputChannel,
  ) {}

  dispose(): void {
    void this.stop();
  }

  /** Starts the server unless it runs, and waits until it answers. Why it does not is told to the user. */
  async start(): Promise<void> {
    let waited: Promise<void> | undefined;
    do {
      waited = this.starting ??= this.begin((problem) => this.tellProblem(problem));
      await waited;
    } while (this.starting !== undefined && this.starting !== waited); // it ended meanwhile, and another one took its place
  }

  async restart(): Promise<void> {
    this.restarts.forget();
    await this.stop();
    await this.start();
  }

  async stop(): Promise<void> {
    const { client } = this;
    this.client = this.starting = undefined;
    if (!client) return;
    try {
      await client.dispose(3000);
    } catch (err) {
      this.log.info(`stop: ${message(err)}`); // it was gone already
    }
  }

  /** The program of the server has another place now. */
  async moved(): Promise<void> {
    const found = locate(this.context);
    if (!('command' in found) || found.command !== this.command) await this.restart();
  }

  /** Where the program was missing, looks for it again, and says so before the user goes on with what needs it. */
  async present(): Promise<void> {
    if (!this.problem) return;
    await this.restart(); // it may be there by now
    if (this.problem) throw new Told();
  }

  /** Asks the server something, after it has started. */
  async request<R>(what: string, params: unknown): Promise<R> {
    await this.start();
    const { client } = this;
    if (client?.state !== State.Running) throw new Error(this.problem || 'The server is not running. Run "Coauthor: Restart Server".');
    return client.sendRequest<R>(what, params);
  }

  /** Tells the server something, if it runs. */
  tell(what: string, params: unknown): void {
    if (this.client?.state === State.Running) void this.client.sendNotification(what, params);
  }

  /** Tells which documents the user sees, and which of them they are in. */
  tellFocus(): void {
    const visible = vscode.window.visibleTextEditors.map((e) => e.document.uri).filter((u) => u.scheme === 'file');
    const active = vscode.window.activeTextEditor?.document.uri;
    const uri = active?.scheme === 'file' ? { uri: active.toString() } : {};
    this.tell(method.didFocus, { ...uri, visible: visible.map((u) => u.toString()) });
  }

  /** Runs a command of the server. What the user is in comes first, so that the command means that. */
  async run<R = Record<string, unknown>>(command: string, argument?: Record<string, unknown>): Promise<R | undefined> {
    this.tellFocus();
    const params = { command, arguments: argument ? [argument] : [] };
    const result = (await this.request<R | null>('workspace/executeCommand', params)) ?? undefined;
    this.log.debug(`${command}: ${(result as { status?: string } | undefined)?.status ?? 'done'}`);
    return result;
  }

  /** Starts a server; failed is called when it ends before it answers. */
  private async begin(failed: (problem: string) => void): Promise<void> {
    const found = locate(this.context);
    if (!('command' in found)) {
      this.command = '';
      this.problem = found.problem;
      this.health('missing');
      this.log.error(found.problem);
      void this.offerSetting(found.problem);
      return;
    }
    if (found.from === 'bundled') makeRunnable(found.command);
    this.command = found.command;
    this.problem = '';
    this.log.info(`the server is ${found.command} (${found.from})`);
    this.health('starting');
    const client = createClient(found.command, this.log, {
      gone: () => {
        if (this.client === client) this.ended();
      },
      landing: (params) => this.landing(params),
    });
    this.client = client;
    this.wire(client);
    client.onDidChangeState(({ newState }) => {
      if (newState === State.Running && this.client === client) this.health('ready');
    });
    try {
      await client.start();
    } catch (err) {
      if (this.client !== client) return; // it was stopped meanwhile
      failed(startProblem(found.command, message(err)));
      return;
    }
    const problem = protocolProblem(client);
    if (problem) void this.offerSetting(problem);
  }

  /** The server ended by itself: another one is started, unless that has been done too often. */
  private ended(): void {
    this.gone();
    if (this.restarts.another()) {
      this.starting = this.begin(() => this.ended());
      return;
    }
    this.health('stopped');
    void this.offerRestart('The server stopped several times in a row.');
  }

  private tellProblem(problem: string): void {
    this.problem = problem;
    this.health('stopped');
    void this.offerSetting(problem);
  }

  private async offerSetting(problem: string): Promise<void> {
    const picked = await vscode.window.showErrorMessage(`Coauthor: ${problem}`, settingButton, howButton, logButton);
    if (picked === settingButton) await openSetting();
    if (picked === howButton) await vscode.commands.executeCommand('coauthor.client.walkthrough');
    if (picked === logButton) this.log.show();
  }

  private async offerRestart(problem: string): Promise<void> {
    const picked = await vscode.window.showErrorMessage(`Coauthor: ${problem}`, restartButton, logButton);
    if (picked === restartButton) await this.restart();
    if (picked === logButton) this.log.show();
  }
}

/** Opens the setting that says where the program is. It is one of the machine that the files are on: with a remote, among that one's. */
export async function openSetting(): Promise<void> {
  const query = 'coauthor.server.path';
  if (vscode.env.remoteName === undefined) await vscode.commands.executeCommand('workbench.action.openSettings', query);
  else await vscode.commands.executeCommand('workbench.action.openRemoteSettings', { query });
}
