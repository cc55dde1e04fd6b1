/** Random numbers that a seed determines, so that a run can be repeated. */

import { seeded } from '../../values/choices.js';

export interface Random {
  /** A whole number from 0, below the limit. */
  readonly below: (limit: number) => number;
  /** Five letters and digits, practically unique within a run. */
  readonly token: () => string;
  /** The same items in another order. */
  readonly shuffled: <T>(items: readonly T[]) => T[];
}

/** @param seed - a whole number; the same seed gives the same random numbers */
export function randomOf(seed: number): Random {
  const next = seeded(seed);
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    token: () =>
      below(36 ** 5)
        .toString(36)
        .padStart(5, '0'),
    shuffled: (items) =>
      items
        .map((item) => ({ item, at: next() }))
        .sort((a, b) => a.at - b.at)
        .map(({ item }) => item),
  };
}

/** Another text of the same kind, new to the server. */
export function freshText(text: string, random: Random): string {
  const token = random.token();
  if (/^[^\s@]+@[^\s@]+$/.test(text)) return text.replace(/^[^@]*/, `${text.charAt(0)}${token}`);
  if (/^[\da-f]{8}-/i.test(text)) return text.replace(/^.{5}/, token.replaceAll(/[^\da-f]/g, '0'));
  // The length stays, because the schema may not allow a longer text.
  return text.length > token.length ? `${text.slice(0, -token.length)}${token}` : `${text}${token}`;
}
