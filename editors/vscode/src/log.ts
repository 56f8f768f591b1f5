import * as vscode from 'vscode';

/** The extension's one output channel; the server's own lines go there too. */
export function createLog(): vscode.LogOutputChannel {
  return vscode.window.createOutputChannel('Coauthor', { log: true });
}

/** What went wrong, in words. */
export function message(err: unknown): string {
  return err instanceof Error ? err.message : String(err);
}

/** Ends what was begun, for a reason that the user has been told. */
export class Told extends Error {}

/** Runs something that nobody waits for; what goes wrong is told to the user. */
export function background(log: vscode.LogOutputChannel, what: string, work: Thenable<unknown> | (() => Thenable<unknown>)): void {
  const told = (err: unknown) => {
    if (err instanceof Told) return;
    log.error(`${what}: ${message(err)}`);
    void vscode.window.showErrorMessage(`Coauthor: ${message(err)}`);
  };
  try {
    (typeof work === 'function' ? work() : work).then(undefined, told);
  } catch (err) {
    told(err);
  }
}
