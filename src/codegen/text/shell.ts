/** Words of a command line for a POSIX shell. */

/** The text as one word, in quotes where the shell would read it otherwise. */
export function shellWord(text: string): string {
  return /^[\w:/.=%+,@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
