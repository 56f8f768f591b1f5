// Choosing a model by quick pick, and keeping the choice.

import * as vscode from 'vscode';
import type { Server } from './server';

/** Asks which model; a name that is not in the list can be typed. Undefined: the user thought better of it. */
export async function pickModel(server: Server, title: string): Promise<string | undefined> {
  const pick = vscode.window.createQuickPick();
  pick.title = `Coauthor: ${title}`;
  pick.placeholder = 'Choose a model, or type a model name that your endpoint supports';
  pick.busy = true;
  let known: vscode.QuickPickItem[] = [];
  const fill = () => {
    const typed = pick.value.trim();
    const other = typed && !known.some((k) => k.label === typed) ? [{ label: typed, description: 'use this name' }] : [];
    pick.items = [...known, ...other];
  };
  pick.onDidChangeValue(fill);
  pick.show();
  void server.run<{ models?: string[] }>('coauthor.listModels', { quiet: true }).then(
    (r) => {
      known = (r?.models ?? []).map((label) => ({ label }));
      pick.busy = false;
      fill();
    },
    () => (pick.busy = false),
  );
  const chosen = await new Promise<string | undefined>((done) => {
    pick.onDidAccept(() => {
      done(pick.selectedItems[0]?.label ?? (pick.value.trim() || undefined));
      pick.hide();
    });
    pick.onDidHide(() => done(undefined));
  });
  pick.dispose();
  return chosen;
}

/** The settings that keep what a command chooses. */
const settingOf: Readonly<Record<string, string>> = { setModel: 'model.name', setWeakModel: 'model.weak', setEditorModel: 'model.editor' };

/** Whether a command chooses a model. */
export const choosesModel = (command: string) => command in settingOf;

/** Makes a model that the user has just chosen the one of their settings. Nothing else of this extension writes a setting. */
export async function keepModel(command: string, model: string): Promise<void> {
  const name = settingOf[command];
  if (name) await vscode.workspace.getConfiguration('coauthor').update(name, model, vscode.ConfigurationTarget.Global);
}
