// Finding the server's program. Pure: what there is on the disk comes in as a function.

import * as path from 'node:path';

export interface Where {
  /** The setting coauthor.server.path. */
  setting: string;
  /** The extension's own folder. */
  extension: string;
  /** Home of the user, for a setting that begins with a tilde. */
  home: string;
  platform: NodeJS.Platform;
  env: Readonly<Record<string, string | undefined>>;
  /** What is at a path: a program, something else, or nothing. */
  look(file: string): 'program' | 'other' | 'nothing';
}

export type Found = { command: string; from: 'setting' | 'bundled' | 'path' } | { problem: string };

/** The setting, else the program that came with the extension, else the one on the PATH. */
export function find(where: Where): Found {
  const paths = where.platform === 'win32' ? path.win32 : path.posix;
  const name = where.platform === 'win32' ? 'coauthor.exe' : 'coauthor';
  const setting = where.setting.trim();
  if (setting) return named(where, paths, setting);
  const bundled = paths.join(where.extension, 'bin', name);
  if (where.look(bundled) === 'program') return { command: bundled, from: 'bundled' };
  const found = onPath(where, paths, name);
  if (found) return { command: found, from: 'path' };
  return { problem: 'Cannot find the program coauthor on the PATH. Install it, or set coauthor.server.path.' };
}

function named(where: Where, paths: path.PlatformPath, setting: string): Found {
  const file = setting === '~' || /^~[/\\]/.test(setting) ? paths.join(where.home, setting.slice(1)) : setting;
  if (!paths.isAbsolute(file)) {
    if (/[/\\]/.test(file)) return { problem: `coauthor.server.path must be an absolute path, not ${setting}.` };
    const found = onPath(where, paths, file);
    return found ? { command: found, from: 'setting' } : { problem: `Cannot find ${setting} on the PATH. Correct coauthor.server.path.` };
  }
  switch (where.look(file)) {
    case 'program':
      return { command: file, from: 'setting' };
    case 'other':
      return { problem: `${setting} is not a program. Correct coauthor.server.path.` };
    case 'nothing':
      return { problem: `${setting} does not exist. Correct coauthor.server.path.` };
  }
}

function onPath(where: Where, paths: path.PlatformPath, name: string): string | undefined {
  const extensions = where.platform === 'win32' && !paths.extname(name) ? (where.env['PATHEXT'] ?? '.EXE').split(';') : [''];
  for (const folder of (where.env['PATH'] ?? '').split(paths.delimiter)) {
    // A relative entry would run what a repository brings.
    if (!folder || !paths.isAbsolute(folder)) continue;
    for (const extension of extensions) {
      const file = paths.join(folder, name + extension.toLowerCase());
      if (where.look(file) === 'program') return file;
    }
  }
  return undefined;
}

/** What to tell of a program that could not be started. */
export function startProblem(command: string, message: string): string {
  // The client hands on the words of the error alone.
  switch (/\b(ENOENT|EACCES|ENOEXEC|UNKNOWN|system error -8|system error -86)\b/.exec(message)?.[1]) {
    case 'ENOENT':
      return `${command} no longer exists. Install it again, or correct coauthor.server.path.`;
    case 'EACCES':
      return `${command} is not executable. Change its permissions.`;
    case 'ENOEXEC':
    case 'system error -8':
    case 'system error -86':
    case 'UNKNOWN':
      return `${command} cannot run on this machine: it was built for another platform. Install the one for yours.`;
    default:
      if (/got disposed|connection is closed|stream was destroyed|EPIPE|ECONNRESET/i.test(message)) return `${command} ended without an answer. It is not Coauthor, or it was built for another platform. See the log.`;
      return `Cannot start ${command}: ${message}`;
  }
}
