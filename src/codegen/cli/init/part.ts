/** Parts of a new project: a handler, a security handler or a resolver, each in a file of its own and a line of a list. */

import { camelCase, pascalCase } from '../../read/names.js';

export interface Part {
  /** Its place in the list: `['getUser']`, or `['Query', 'user']`. */
  readonly path: readonly string[];
  /** The name that its file exports. */
  readonly name: string;
  /** The name of its file, without an ending. */
  readonly file: string;
  /** The text of its file until somebody writes it. */
  readonly text: string;
}

/** A list of parts, and the folder of the same name with their files. */
export interface PartFolder {
  /** The path of the list without its ending: `src/rest/operations`. */
  readonly path: string;
  /** The constant that holds the list. */
  readonly variable: string;
  /** The list without parts. */
  readonly emptyList: string;
  /** What a part is, for messages: `operation`. */
  readonly what: string;
  readonly parts: readonly Part[];
}

/** Words that no constant may be called (ECMA-262 §12.7.2), and two that strict code does not allow. */
const RESERVED = new Set(
  `arguments await break case catch class const continue debugger default delete do else enum eval export extends false
  finally for function if implements import in instanceof interface let new null package private protected public return
  static super switch this throw true try typeof undefined var void while with yield`.split(/\s+/),
);

/** A name that is not known yet, for each part: of its export and of its file. */
export interface Unnamed {
  readonly path: readonly string[];
  /** Words to make names of: `get-stations`, `Query user`. */
  readonly words: string;
}

/** Names parts. File names are distinct also where a file system does not tell upper from lower case. */
export function named<Each extends Unnamed>(
  parts: readonly Each[],
): readonly (Each & Pick<Part, 'name' | 'file'>)[] {
  const names = new Set<string>();
  const files = new Set<string>();
  return parts.map((part) => {
    const plain = camelCase(part.words);
    const safe = /^[\p{L}_]/u.test(plain) && !RESERVED.has(plain) ? plain : `the${pascalCase(plain)}`;
    const name = free(safe, '', names);
    return { ...part, name, file: free(kebabCase(pascalCase(part.words)) || 'part', '-', files) };
  });
}

function free(stem: string, separator: string, taken: Set<string>): string {
  let name = stem;
  for (let n = 2; taken.has(name); n += 1) name = `${stem}${separator}${n}`;
  taken.add(name);
  return name;
}

/** `GetUserV2` becomes `get-user-v2`. */
function kebabCase(pascal: string): string {
  return pascal.replaceAll(/(?<=[\p{Ll}\p{Nd}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, '-').toLowerCase();
}

/** A string literal, quoted as people quote them. */
export function quoted(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}
