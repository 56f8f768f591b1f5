// The item in the status bar: what runs, what waits, the model and what it cost.

import * as vscode from 'vscode';
import type { Proposals } from './proposals';
import type { Questions } from './questions';
import { files, usage } from './text';
import type { Turns } from './turns';

export type Health = 'starting' | 'ready' | 'stopped' | 'missing' | 'noModel';

export class Status implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem('coauthor.status', vscode.StatusBarAlignment.Right, 100);
  private health: Health = 'starting';
  model = '';

  constructor(
    private readonly turns: Turns,
    private readonly proposals: Proposals,
    private readonly questions: Questions,
  ) {
    this.item.name = 'Coauthor';
    this.refresh();
    this.item.show();
  }

  dispose(): void {
    this.item.dispose();
  }

  set(health: Health): void {
    this.health = health;
    this.refresh();
  }

  refresh(): void {
    const running = this.turns.running();
    const turn = running.at(-1);
    const waiting = this.proposals.count();
    const [text, warns] = this.line(turn?.message || (turn ? 'Starting' : ''), running.length, waiting);
    this.item.text = text;
    const asked = this.questions.open()[0];
    this.item.command = asked ? 'coauthor.client.answer' : 'coauthor.client.menu';
    this.item.backgroundColor = warns ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    const used = usage(this.turns.total());
    const tip = [asked?.text, this.model && `Model: ${this.model}`, used && `Used in this window: ${used}`, asked ? 'Click to answer' : 'Click for the menu'];
    this.item.tooltip = tip.filter(Boolean).join('\n');
    this.item.accessibilityInformation = { label: `Coauthor: ${text.replace(/\$\([^)]*\)/g, '').trim()}` };
  }

  private line(message: string, running: number, waiting: number): [text: string, warns: boolean] {
    switch (this.health) {
      case 'missing':
        return ['$(warning) Coauthor: program not found', true];
      case 'stopped':
        return ['$(error) Coauthor: stopped', true];
      case 'starting':
        return ['$(loading~spin) Coauthor', false];
      case 'noModel':
        if (running === 0 && waiting === 0 && this.questions.open().length === 0) return ['$(key) Coauthor: choose a model', false];
        break;
      case 'ready':
        break;
    }
    if (this.questions.open().length > 0) return ['$(question) Coauthor: your answer is needed', true];
    if (running > 0) return [`$(loading~spin) ${message}${running > 1 ? ` (+${running - 1})` : ''}`, false];
    if (waiting > 0) return [`$(diff) Coauthor: ${files(waiting)} pending`, false];
    const { cost } = this.turns.total();
    return [`$(sparkle) Coauthor${cost ? ` $${cost.toFixed(2)}` : ''}`, false];
  }
}
