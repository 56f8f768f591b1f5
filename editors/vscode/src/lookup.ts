// What the editor's other language servers know, for the server, which cannot ask them itself.

import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { LookUpParams, LookUpResult } from './protocol';

export async function lookUp(client: LanguageClient, p: LookUpParams): Promise<LookUpResult | null> {
  if (p.what === 'diagnostics') return { files: vscode.languages.getDiagnostics().map(([uri, list]) => fileOf(client, uri, list)) };
  if (!p.uri || !p.position) return null;
  const uri = client.protocol2CodeConverter.asUri(p.uri);
  const at = client.protocol2CodeConverter.asPosition(p.position);
  if (p.what === 'hover') {
    const hovers = (await vscode.commands.executeCommand<vscode.Hover[] | undefined>('vscode.executeHoverProvider', uri, at)) ?? [];
    return { text: hovers.flatMap((h) => h.contents.map(textOf)).filter(Boolean).join('\n\n') };
  }
  const command = p.what === 'definition' ? 'vscode.executeDefinitionProvider' : 'vscode.executeReferenceProvider';
  const found = (await vscode.commands.executeCommand<(vscode.Location | vscode.LocationLink)[] | undefined>(command, uri, at)) ?? [];
  return {
    locations: found.map((one) => {
      const [target, range] = 'targetUri' in one ? [one.targetUri, one.targetSelectionRange ?? one.targetRange] : [one.uri, one.range];
      return { uri: client.code2ProtocolConverter.asUri(target), range: client.code2ProtocolConverter.asRange(range) };
    }),
  };
}

function fileOf(client: LanguageClient, uri: vscode.Uri, list: readonly vscode.Diagnostic[]) {
  return { uri: client.code2ProtocolConverter.asUri(uri), diagnostics: list.map((d) => client.code2ProtocolConverter.asDiagnostic(d)) };
}

function textOf(content: vscode.MarkdownString | vscode.MarkedString): string {
  return typeof content === 'string' ? content : content.value;
}
