// What a request is about: the document, the selection, and what all servers complain about there.

import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { schemeBase, schemeDraft, schemeNew } from './documents';

/** The most complaints that go with a request: a file with hundreds must not fill the model's room. */
const mostDiagnostics = 50;

export interface Target {
  uri?: string;
  range?: { start: vscode.Position; end: vscode.Position };
  version?: number;
  diagnostics?: unknown[];
}

/** The document that a command of an editor is about: of a diff of ours the file itself. */
export function fileOf(uri: vscode.Uri): vscode.Uri | undefined {
  if ([schemeNew, schemeBase, schemeDraft].includes(uri.scheme)) return uri.with({ scheme: 'file', query: '' });
  return uri.scheme === 'file' || uri.scheme === 'untitled' ? uri : undefined;
}

export function targetOf(editor: vscode.TextEditor | undefined, client: LanguageClient | undefined): Target {
  const uri = editor && fileOf(editor.document.uri);
  if (!editor || !uri) return {};
  if (editor.document.uri.scheme !== uri.scheme) return { uri: uri.toString() };
  const target: Target = { uri: uri.toString(), version: editor.document.version };
  const { selection } = editor;
  if (!selection.isEmpty) target.range = { start: selection.start, end: selection.end };
  const about = vscode.languages
    .getDiagnostics(uri)
    .filter((d) => selection.isEmpty || d.range.intersection(selection) !== undefined)
    .sort((a, b) => a.severity - b.severity || a.range.start.line - b.range.start.line)
    .slice(0, mostDiagnostics);
  if (about.length > 0 && client) target.diagnostics = about.map((d) => client.code2ProtocolConverter.asDiagnostic(d));
  return target;
}
