/** Turns the patterns of a contract into regular expressions. */

/**
 * The regular expression of a pattern: ECMA-262 with the flag `u`, as 2020-12 requires, or else without it, since many
 * patterns have escapes that `u` forbids, such as `\-`.
 *
 * @throws SyntaxError when neither compiles
 */
export function patternExpression(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return new RegExp(pattern);
  }
}
