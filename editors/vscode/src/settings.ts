// Which settings the server is told. Pure.
//
// VS Code answers for every setting with the manifest's default. Sent as they are, these would stand above the user's own
// config.yaml, so only what somebody has set goes out.

export interface Inspected {
  globalValue?: unknown;
  workspaceValue?: unknown;
  workspaceFolderValue?: unknown;
}

export interface Configuration {
  inspect(name: string): Inspected | undefined;
  get(name: string): unknown;
}

/** The settings of the server that are set, by their dotted names. */
export function chosen(config: Configuration, names: readonly string[]): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const name of names) {
    const at = config.inspect(name);
    if (at && [at.globalValue, at.workspaceValue, at.workspaceFolderValue].some((v) => v !== undefined)) out[name] = config.get(name);
  }
  return out;
}
