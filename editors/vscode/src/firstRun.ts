// The first model: one on this machine, a key, or what is in the environment already. Nothing here opens by itself.

import * as vscode from 'vscode';
import { providers, type ProviderRow } from './generated';
import type { Keys } from './keys';
import { keepModel, pickModel } from './models';
import type { Server } from './server';

interface Checks {
  ok?: boolean;
  checks?: { name: string; ok: boolean; message: string; advice?: string }[];
}

/** Servers of models on this machine, at their usual ports; `local` stands for any of them. */
const local = providers.filter((p) => !p.keyName && p.name !== 'local' && p.base.startsWith('http://127.0.0.1:'));

export class FirstRun {
  constructor(
    private readonly server: Server,
    private readonly keys: Keys,
    private readonly ready: () => Promise<void>,
  ) {}

  /** Looks for models on this machine and offers what it finds. */
  async findLocal(): Promise<void> {
    await this.server.present();
    const found = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: 'Coauthor: looking for models on this machine' },
      async () => (await Promise.all(local.map((l) => modelsAt(l)))).flat(),
    );
    if (found.length === 0) {
      void vscode.window.showInformationMessage(
        'Coauthor: no model server found on this machine. Start Ollama, LM Studio, llama.cpp or vLLM and try again, or enter an API key.',
      );
      return;
    }
    const picked = await vscode.window.showQuickPick(found, { title: 'Coauthor: models on this machine' });
    if (picked) await this.use(picked.label);
  }

  async addKey(): Promise<void> {
    await this.server.present();
    const provider = await this.keys.add();
    if (!provider) return;
    const model = await pickModel(this.server, 'Choose the model');
    if (model) await this.use(model);
    const found = await this.server.run<Checks>('coauthor.doctor', { quiet: true });
    await this.ready();
    const wrong = found?.checks?.find((c) => !c.ok);
    if (!wrong) return;
    const picked = await vscode.window.showWarningMessage(`Coauthor: ${[wrong.message, wrong.advice].filter(Boolean).join(' ')}`, 'Show Report');
    if (picked) await this.check();
  }

  /** Checks what is set up, and shows the report. */
  async check(): Promise<void> {
    await this.server.present();
    await this.server.run('coauthor.doctor');
    await this.ready();
  }

  private async use(model: string): Promise<void> {
    await this.server.run('coauthor.setModel', { model });
    await keepModel('setModel', model);
    await this.ready();
  }
}

interface Item extends vscode.QuickPickItem {
  label: string;
}

async function modelsAt({ base, name }: ProviderRow): Promise<Item[]> {
  try {
    const answer = await fetch(`${base}/models`, { signal: AbortSignal.timeout(1500) });
    const { data } = (await answer.json()) as { data?: { id?: unknown }[] };
    return (data ?? []).flatMap((m) => (typeof m.id === 'string' ? [{ label: `${name}/${m.id}`, description: name }] : []));
  } catch {
    return []; // nobody is there
  }
}
