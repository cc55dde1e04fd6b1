/** Names in generated code. */

/** The names in a text that lists them. */
export function words(text: string): readonly string[] {
  return text.split(/\s+/);
}

/** Words that cannot be identifiers (ECMA-262 §12.7.2), and two that strict code does not allow. */
export const RESERVED_WORDS =
  words(`arguments await break case catch class const continue debugger default delete do else enum eval export extends false
  finally for function if implements import in instanceof interface let new null package private protected public return
  static super switch this throw true try typeof undefined var void while with yield`);

/** Takes the stem, or the stem with the first free number from 2. */
export function freeName(stem: string, taken: Set<string>, separator = ''): string {
  let name = stem;
  for (let n = 2; taken.has(name); n += 1) name = `${stem}${separator}${n}`;
  taken.add(name);
  return name;
}
