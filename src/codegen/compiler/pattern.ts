/** Turns the patterns of a contract into regular expressions. */

/**
 * The regular expression of a pattern: by ECMA-262 with `u`, as 2020-12 asks, or else without, since many patterns
 * escape what `u` does not let them escape, such as `\-`.
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
