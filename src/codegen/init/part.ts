/** Parts of a new project: handlers, security handlers and resolvers, each with its own file and a line in a list. */

import { camelCase, freeName, kebabCase, pascalCase, RESERVED_WORDS } from '../text/identifiers.js';
import type { Template } from './template.js';

export interface Part {
  /** Its place in the list: `['getUser']`, or `['Query', 'user']`. */
  readonly path: readonly string[];
  readonly name: string;
  readonly file: string;
  readonly template: Template;
}

/** A list of parts, and the folder with their files; the list, its constant and its template have the name of the folder. */
export interface PartFolder {
  /** The path of the list without its ending: `src/rest/operations`. */
  readonly path: string;
  /** The noun for a part in messages: `operation`. */
  readonly what: string;
  readonly parts: readonly Part[];
}

/** A part before its export and its file are named. */
export interface Unnamed {
  readonly path: readonly string[];
  /** Words to make names of: `get-stations`, `Query user`. */
  readonly words: string;
}

/** Names parts. File names are distinct even on case-insensitive file systems. */
export function named<Each extends Unnamed>(
  parts: readonly Each[],
): readonly (Each & Pick<Part, 'name' | 'file'>)[] {
  const names = new Set<string>();
  const files = new Set<string>();
  return parts.map((part) => {
    const plain = camelCase(part.words);
    const safe =
      /^[\p{L}_]/u.test(plain) && !RESERVED_WORDS.includes(plain) ? plain : `the${pascalCase(plain)}`;
    const name = freeName(safe, names);
    // A file system takes 255 bytes, and a character has up to three per code unit.
    const file = kebabCase(pascalCase(part.words))
      .slice(0, 80)
      .replace(/[-\ud800-\udbff]$/, '');
    return { ...part, name, file: freeName(file || 'part', files, '-') };
  });
}
