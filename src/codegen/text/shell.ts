/** Command lines for a POSIX shell. */

import type { Code } from './code.js';

/** Texts as words, each in quotes where the shell would read it otherwise. */
export function shellWords(...texts: readonly string[]): Code {
  return texts
    .map((text) => (/^[\w:/.=%+,@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`))
    .join(' ') as Code;
}
