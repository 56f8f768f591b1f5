// The view "Pending changes": questions that wait for an answer, the files that wait, what warns of them, and a badge with their number.

import * as vscode from 'vscode';
import { draftState, type Drafts } from './drafts';
import { openFiles, size, type Proposals } from './proposals';
import type { Pending, PendingFile, QuestionParams, Refused } from './protocol';
import type { Questions } from './questions';
import { baseName, line } from './text';

export type Node =
  | { kind: 'proposal'; proposal: Pending }
  | { kind: 'file'; proposal: Pending; file: PendingFile }
  | { kind: 'note'; proposal: Pending; text: string; icon: string }
  | { kind: 'question'; question: QuestionParams }
  | { kind: 'answer'; question: QuestionParams; choice: string; title: string };

const letters = { update: 'M', create: 'A', delete: 'D', rename: 'R' } as const;

export class Tree implements vscode.TreeDataProvider<Node>, vscode.FileDecorationProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly decorated = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  readonly onDidChangeFileDecorations = this.decorated.event;
  private readonly view: vscode.TreeView<Node>;
  private readonly subscriptions: vscode.Disposable[];

  constructor(
    private readonly proposals: Proposals,
    private readonly drafts: Drafts,
    private readonly questions: Questions,
    /** What the change of a turn is without. */
    private readonly left: (turnId: string) => readonly Refused[],
  ) {
    this.view = vscode.window.createTreeView('coauthor.pending', { treeDataProvider: this });
    this.subscriptions = [this.changed, this.decorated, this.view, vscode.window.registerFileDecorationProvider(this)];
  }

  dispose(): void {
    this.subscriptions.forEach((s) => void s.dispose());
  }

  refresh(): void {
    const n = this.proposals.count();
    const asked = this.questions.open().length;
    const tip = [asked > 0 && 'Your answer is needed', n > 0 && `${n} pending`].filter(Boolean).join(', ');
    this.view.badge = n + asked > 0 ? { value: n + asked, tooltip: tip } : undefined;
    this.changed.fire();
    this.decorated.fire(undefined);
  }

  getChildren(node?: Node): Node[] {
    const waiting = this.proposals.waiting();
    if (node?.kind === 'question') {
      const { question } = node;
      if (question.body) return []; // it is read before it is answered
      return (question.choices ?? []).map(({ choice, title }) => ({ kind: 'answer', question, choice, title }));
    }
    if (!node) {
      const asked = this.questions.open().map((question): Node => ({ kind: 'question', question }));
      return [...asked, ...this.changes(waiting)];
    }
    return node.kind === 'proposal' ? this.inside(node.proposal) : [];
  }

  private changes(waiting: Pending[]): Node[] {
    const drafts = this.drafts.all();
    if (drafts.length > 0) return [...drafts, ...waiting].map((proposal) => ({ kind: 'proposal', proposal }));
    const only = waiting.length === 1 ? waiting[0] : undefined;
    return only ? this.inside(only) : waiting.map((proposal) => ({ kind: 'proposal', proposal }));
  }

  getTreeItem(node: Node): vscode.TreeItem {
    switch (node.kind) {
      case 'proposal': {
        const isDraft = node.proposal.state === draftState;
        const item = new vscode.TreeItem(line(node.proposal.label ?? 'Change', 80), vscode.TreeItemCollapsibleState.Expanded);
        item.description = `${isDraft ? 'being written: ' : ''}${size(openFiles(node.proposal))}`;
        if (isDraft) item.iconPath = new vscode.ThemeIcon('loading~spin');
        item.contextValue = isDraft ? 'draft' : node.proposal.state === 'conflict' ? 'conflict' : 'proposal';
        return item;
      }
      case 'note': {
        const item = new vscode.TreeItem(node.text);
        item.iconPath = new vscode.ThemeIcon(node.icon, node.icon === 'warning' ? new vscode.ThemeColor('list.warningForeground') : undefined);
        item.tooltip = node.text;
        item.contextValue = node.proposal.state === 'conflict' ? 'conflict' : 'note';
        return item;
      }
      case 'question': {
        const { question } = node;
        const item = new vscode.TreeItem(line(question.text, 120), vscode.TreeItemCollapsibleState.Expanded);
        item.id = question.id;
        item.iconPath = new vscode.ThemeIcon('question', new vscode.ThemeColor('list.warningForeground'));
        item.tooltip = question.text;
        item.contextValue = 'question';
        item.command = { title: 'Answer', command: 'coauthor.client.answer', arguments: [{ id: question.id }] };
        return item;
      }
      case 'answer': {
        const item = new vscode.TreeItem(node.title);
        item.id = `${node.question.id} ${node.choice}`;
        item.contextValue = 'answer';
        item.command = { title: node.title, command: 'coauthor.client.answer', arguments: [{ id: node.question.id, choice: node.choice }] };
        return item;
      }
      case 'file':
        return this.fileItem(node.proposal, node.file);
    }
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    const waits = this.proposals.waiting().some((p) => openFiles(p).some((f) => vscode.Uri.parse(f.uri).toString() === uri.toString()));
    return waits && uri.scheme === 'file' ? { badge: '±', tooltip: 'Coauthor: this file has a pending change' } : undefined;
  }

  private inside(proposal: Pending): Node[] {
    const notes: Node[] = (proposal.warnings ?? []).map((text) => ({ kind: 'note', proposal, text, icon: 'warning' }));
    if (proposal.state === 'conflict') notes.unshift({ kind: 'note', proposal, text: 'You edited the same lines', icon: 'warning' });
    for (const { message } of this.left(proposal.turnId)) notes.push({ kind: 'note', proposal, text: `Left out: ${message}`, icon: 'warning' });
    if (proposal.verdict) notes.push({ kind: 'note', proposal, text: proposal.verdict, icon: 'beaker' });
    return [...notes, ...openFiles(proposal).map((file): Node => ({ kind: 'file', proposal, file }))];
  }

  private fileItem(proposal: Pending, file: PendingFile): vscode.TreeItem {
    const uri = vscode.Uri.parse(file.uri);
    const item = new vscode.TreeItem(baseName(file.uri));
    item.resourceUri = uri.with({ scheme: 'coauthor-pending' });
    item.iconPath = vscode.ThemeIcon.File;
    const folder = vscode.workspace.asRelativePath(uri, false).split('/').slice(0, -1).join('/');
    const to = file.newUri ? ` → ${baseName(file.newUri)}` : '';
    item.description = `${letters[file.op]} +${file.added} -${file.removed}${to}  ${folder}`.trimEnd();
    item.tooltip = `${vscode.workspace.asRelativePath(uri)}: ${file.op}, +${file.added} -${file.removed}`;
    item.contextValue = proposal.state === draftState ? 'draft' : 'file';
    item.command = { title: 'Show the change', command: 'coauthor.client.openFile', arguments: [{ kind: 'file', proposal, file }] };
    return item;
  }
}
