/** Reads YAML, and mends what other parsers read and ours does not. */

import { Source, YamlParseError, parseYaml } from '@redocly/openapi-core';

/** The start of the parser's message for a line that has too little indentation. */
const SHALLOW = 'deficient indentation';

/** The start of its message for a key that an object has twice. */
const REPEATED = 'duplicated mapping key';

/** How many lines of a document are mended. */
const MENDED_LINES = 50;

/** More than that of any line above. */
const INDENTATION = ' '.repeat(100);

/** By itself, the parser reads 100 levels. What has more than a document may have is found later, as it is in JSON. */
const MOST_LEVELS = 1000;

/**
 * A line of a list or object in brackets must have more indentation than the key before the brackets (YAML 1.2.2 §7.4). Other parsers also
 * read one that has not, so it is read with more. And a number that is a key, such as a status, may replace the same key that `<<` merges;
 * our parser takes it for another one beside it, unless it has quotes. The next such line is found by parsing again, and so only a few are
 * mended.
 *
 * @returns the value, and the text in which its places are found
 * @throws YamlParseError
 */
export function mendedYaml(
  source: Source,
  left = MENDED_LINES,
): { readonly source: Source; readonly parsed: unknown } {
  try {
    return { source, parsed: parseYaml(source.body, { maxDepth: MOST_LEVELS }) };
  } catch (cause) {
    const error = new YamlParseError(cause as Error, source);
    const { line, col } = error;
    const lines = source.body.split('\n');
    const written = lines[line - 1] ?? '';
    const isShallow = error.message.startsWith(SHALLOW);
    const isRepeated = error.message.startsWith(REPEATED);
    const mended = isShallow ? INDENTATION + written : isRepeated ? withTextKey(written, col - 1) : written;
    if (mended === written || (left === 0 && !isShallow)) throw error;
    if (left === 0) {
      const advice = 'in brackets, a line must be indented more than the key before them';
      throw new YamlParseError(new Error(`${advice} (${line}:${col})`), source);
    }
    const text = lines.with(line - 1, mended).join('\n');
    return mendedYaml(new Source(source.absoluteRef, text, source.mimeType), left - 1);
  }
}

/** The line with quotes around a number that is a key. */
const withTextKey = (line: string, at: number): string =>
  line.slice(0, at) + line.slice(at).replace(/^\d+(?=\s*:)/, '"$&"');
