/** Remembers credentials and the values of cookies, in memory only, so that none of them is written. */

import { isSensitiveName } from './harmless.js';

/** The maximum number of values of each kind. */
const MOST_VALUES = 2000;

type Heads = readonly Readonly<Record<string, unknown>>[];

export class Secrets {
  readonly #credentials = new Set<string>();
  /** The credentials, and what else belongs to them, such as names of users and other cookies. */
  readonly #values = new Set<string>();

  constructor(...heads: Heads) {
    this.addHeads(...heads);
  }

  /** @param heads - the headers of requests and responses, by their names; a header that is repeated has a list */
  addHeads(...heads: Heads): void {
    for (const [name, value] of heads.flatMap((headers) => Object.entries(headers))) {
      if (!isSensitiveName(name)) continue;
      for (const text of [value].flat().map(String)) {
        if (/cookie/i.test(name)) {
          // The other pairs of `Set-Cookie` say how long the cookie is kept, and where it is sent.
          const pairs = cookiePairs(text).slice(0, /^set-/i.test(name) ? 1 : undefined);
          for (const [, cookie] of pairs) keep(this.#values, cookie);
          continue;
        }
        const words = text.split(/[\s=;,"]+/).filter((word) => !/^(?:bearer|basic|digest)$/i.test(word));
        const [user = '', ...password] = decodedPair(/^basic\s+(\S+)/i.exec(text)?.[1] ?? '');
        for (const each of [...words, user]) keep(this.#values, each);
        this.addCredential(password.join(':'));
      }
    }
  }

  addCredential(value: string): void {
    keep(this.#credentials, value);
    keep(this.#values, value);
  }

  /** Whether a text has one of the values in it. */
  isIn(text: string): boolean {
    for (const value of this.#values) if (text.includes(value)) return true;
    return false;
  }

  isCredential(text: string): boolean {
    return this.#credentials.has(text);
  }
}

/** Shorter values would be found in ordinary words, and longer texts are not written. */
function keep(values: Set<string>, value: string): void {
  if (value.length >= 4 && value.length <= 100 && values.size < MOST_VALUES) values.add(value);
}

/** The names and values in a header with cookies. */
export function cookiePairs(header: string): readonly (readonly [name: string, value: string])[] {
  return header.split(';').map((pair) => {
    const [, name = '', value = ''] = /^\s*([^=]*)=(.*)$/.exec(pair) ?? [];
    return [name, value];
  });
}

/** The user and the password of basic credentials (RFC 7617); other texts have neither. */
function decodedPair(text: string): readonly string[] {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(text), (each) => each.charCodeAt(0))).split(':');
  } catch {
    return [];
  }
}
