// The diff editors of a pending change: opening them where nothing is covered, and closing exactly them.

import * as vscode from 'vscode';
import { place } from './columns';
import { schemeBase, schemeDraft, schemeNew, sideOf, type Documents } from './documents';
import { draftState, type Drafts } from './drafts';
import { nextFile, openFiles, title, type Proposals } from './proposals';
import type { Pending, PendingFile } from './protocol';
import { baseName } from './text';

interface OurTab {
  tab: vscode.Tab;
  uri: vscode.Uri;
}

export class Diffs {
  constructor(
    private readonly documents: Documents,
    private readonly proposals: Proposals,
    private readonly drafts: Drafts,
    private readonly inChat: () => boolean,
  ) {}

  /** The diff tabs that are ours. */
  tabs(): OurTab[] {
    return vscode.window.tabGroups.all.flatMap((g) => g.tabs).flatMap((tab) => {
      const input = tab.input;
      if (!(input instanceof vscode.TabInputTextDiff)) return [];
      return [schemeNew, schemeDraft].includes(input.modified.scheme) ? [{ tab, uri: input.modified }] : [];
    });
  }

  /** Shows a file of a change because the user asked for it. */
  async show(p: Pending, file: PendingFile, column: vscode.ViewColumn = this.column() ?? vscode.ViewColumn.Active): Promise<void> {
    await this.open(p, file, { viewColumn: column, preserveFocus: false, preview: false });
  }

  /** Shows the first file by itself, where nothing is covered. False: there is no such place. */
  async offer(p: Pending): Promise<boolean> {
    const file = openFiles(p)[0];
    if (!file) return true;
    const groups = vscode.window.tabGroups;
    const where = place({
      ours: this.column(),
      columns: groups.all.length,
      inChat: this.inChat(),
      empty: groups.all.every((g) => g.tabs.length === 0),
    });
    if (where === 'notify') return false;
    const viewColumn =
      where.column === 'active' ? vscode.ViewColumn.Active : where.column === 'beside' ? vscode.ViewColumn.Beside : where.column;
    await this.open(p, file, { viewColumn, preserveFocus: true, preview: false });
    return true;
  }

  /** All files of a change in one editor that scrolls. */
  async showAll(p: Pending): Promise<void> {
    const list = openFiles(p).map((f) => {
      const right = sideOf(schemeNew, p, f);
      return [right, f.op === 'create' ? undefined : sideOf(schemeBase, p, f), f.op === 'delete' ? undefined : right];
    });
    await vscode.commands.executeCommand('vscode.changes', `Coauthor: ${p.label ?? 'pending change'}`, list);
  }

  /** After a decision: the tab of a file that is decided becomes the next one's, after the last it closes. */
  async follow(p: Pending, gone: boolean): Promise<void> {
    for (const { tab, uri } of this.tabs()) {
      if (uri.query !== p.proposalId) continue;
      const file = p.files.find((f) => vscode.Uri.parse(f.uri).path === uri.path);
      if (!gone && file && openFiles(p).includes(file)) continue;
      const next = gone || !file ? undefined : nextFile(p, file.uri);
      const { viewColumn } = tab.group;
      const focused = tab.isActive && tab.group.isActive;
      const already = next && this.tabs().some((t) => t.uri.toString() === sideOf(schemeNew, p, next).toString());
      if (next && tab.isActive && !already) await this.open(p, next, { viewColumn, preserveFocus: !focused, preview: false });
      await close(tab);
    }
    this.documents.refreshSoon();
  }

  /** What was being written has become a change, or nothing: its tabs become those of the change, or close. True: a file of it is shown now. */
  async settle(draft: Pending, became: Pending | undefined): Promise<boolean> {
    let shown = false;
    for (const { tab, uri } of this.tabs().filter((t) => t.uri.query === draft.proposalId)) {
      const file = became && openFiles(became).find((f) => vscode.Uri.parse(f.uri).path === uri.path);
      const { viewColumn, isActive } = tab.group;
      if (became && file) {
        await this.open(became, file, { viewColumn, preserveFocus: !(tab.isActive && isActive), preview: false });
        shown = true;
      }
      await close(tab);
    }
    return shown;
  }

  /** Closes what an earlier window left behind: its texts are gone. */
  async closeStale(): Promise<void> {
    for (const { tab, uri } of this.tabs()) {
      if (!this.proposals.get(uri.query) && !this.drafts.get(uri.query)) await close(tab);
    }
    for (const tab of vscode.window.tabGroups.all.flatMap((g) => g.tabs)) {
      if (tab.input === undefined && tab.label.startsWith('Coauthor: ')) await close(tab);
    }
  }

  private column(): vscode.ViewColumn | undefined {
    return this.tabs().find((t) => t.tab.isActive)?.tab.group.viewColumn ?? this.tabs()[0]?.tab.group.viewColumn;
  }

  private async open(p: Pending, file: PendingFile, how: vscode.TextDocumentShowOptions): Promise<void> {
    const isDraft = p.state === draftState;
    await vscode.commands.executeCommand(
      'vscode.diff',
      sideOf(schemeBase, p, file),
      sideOf(isDraft ? schemeDraft : schemeNew, p, file),
      `${title(p, file, baseName(file.newUri ?? file.uri))}${isDraft ? ' being written' : ''}`,
      how,
    );
  }
}

async function close(tab: vscode.Tab): Promise<void> {
  try {
    await vscode.window.tabGroups.close(tab, true);
  } catch {
    // The user was quicker.
  }
}
