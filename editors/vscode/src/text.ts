// How numbers and names are told to a user. Pure.

import type { Usage } from './protocol';

export function files(n: number): string {
  return n === 1 ? '1 file' : `${n} files`;
}

export function tokens(n: number): string {
  if (n < 1000) return `${n}`;
  return n < 10_000 ? `${(n / 1000).toFixed(1)}k` : `${Math.round(n / 1000)}k`;
}

export function money(dollars: number): string {
  if (dollars < 0.01) return '<$0.01';
  return `$${dollars.toFixed(2)}`;
}

/** "5.2k in, 640 out, $0.01". */
export function usage(u: Usage | undefined): string {
  if (!u || (u.in === 0 && u.out === 0)) return '';
  const about = u.estimated ? '~' : '';
  const cost = u.cost ? `, ${money(u.cost)}` : '';
  return `${about}${tokens(u.in)} in, ${about}${tokens(u.out)} out${cost}`;
}

/** The last part of a path or URI, as a person reads it. */
export function baseName(uri: string): string {
  const last = uri.slice(uri.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

/** One line of a text, cut with an ellipsis. */
export function line(text: string, most: number): string {
  const one = text.trim().split('\n', 1)[0] ?? '';
  return one.length > most ? `${one.slice(0, most - 1)}…` : one;
}
