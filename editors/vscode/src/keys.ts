// API keys: in VS Code's secret storage, and told to the server alone. They are in no setting, no environment and no log.

import * as vscode from 'vscode';
import { providers, type ProviderRow } from './generated';
import { method } from './protocol';
import type { Server } from './server';

const namesKey = 'coauthor.keys';
const secretOf = (name: string) => `coauthor.key.${name}`;

export class Keys {
  constructor(
    private readonly secrets: vscode.SecretStorage,
    private readonly state: vscode.Memento,
    private readonly server: Server,
  ) {}

  /** Tells the server every key that is stored; a key that cannot be read is told as missing by the server. */
  async tell(): Promise<void> {
    for (const name of this.names()) {
      const value = await this.secrets.get(secretOf(name));
      if (value) this.server.tell(method.setSecret, { name, value });
    }
  }

  /** Asks for a provider and its key, and stores that. */
  async add(): Promise<ProviderRow | undefined> {
    const items = providers.filter((p) => p.keyName).map((p) => ({ label: p.name, description: p.base, provider: p }));
    const picked = await vscode.window.showQuickPick(items, { title: 'Coauthor: choose the provider of the key', matchOnDescription: true });
    if (!picked) return undefined;
    const { provider } = picked;
    const value = await vscode.window.showInputBox({
      title: `Coauthor: API key for ${provider.name}`,
      prompt: "The key is kept in VS Code's secret storage and sent only to this provider.",
      password: true,
      ignoreFocusOut: true,
    });
    if (!value?.trim()) return undefined;
    await this.secrets.store(secretOf(provider.keyName), value.trim());
    await this.state.update(namesKey, [...new Set([...this.names(), provider.keyName])]);
    await this.server.start();
    this.server.tell(method.setSecret, { name: provider.keyName, value: value.trim() });
    return provider;
  }

  /** Asks which stored key is to be forgotten. */
  async forget(): Promise<void> {
    const names = this.names();
    if (names.length === 0) {
      void vscode.window.showInformationMessage('Coauthor: no API key is stored.');
      return;
    }
    const name = await vscode.window.showQuickPick(names, { title: 'Coauthor: choose the key to forget' });
    if (!name) return;
    await this.secrets.delete(secretOf(name));
    await this.state.update(namesKey, names.filter((n) => n !== name));
    this.server.tell(method.setSecret, { name, value: '' });
  }

  private names(): string[] {
    return this.state.get<string[]>(namesKey) ?? [];
  }
}
