/** Bounds the nesting of a source and its variables, because parsing, validating and coercing them recurse. */

import { Lexer, Source, TokenKind } from 'graphql';

/** Levels of brackets in addition to those of nested fields: arguments, lists, objects, types, inline fragments, introspection. */
export const BESIDE_FIELDS = 100;

const OPENING: ReadonlySet<string> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const CLOSING: ReadonlySet<string> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/**
 * Reads the tokens of a source, without recursion, until it exceeds a limit.
 *
 * @returns a sentence that names the limit; undefined when it exceeds none
 * @throws GraphQLError when the source has characters that form no token
 */
export function exceededBySource(
  source: string,
  limits: { readonly tokens: number; readonly nesting: number },
): string | undefined {
  const lexer = new Lexer(new Source(source));
  let open = 0;
  for (let tokens = 0; lexer.advance().kind !== TokenKind.EOF;) {
    tokens += 1;
    if (tokens > limits.tokens) return `The document has more than ${String(limits.tokens)} tokens`;
    if (OPENING.has(lexer.token.kind)) open += 1;
    else if (CLOSING.has(lexer.token.kind)) open -= 1;
    if (open > limits.nesting) return `The document has more than ${String(limits.nesting)} nested brackets`;
  }
  return undefined;
}

/** Whether lists and objects are nested in more than this many levels. */
export function isNestedDeeper(value: unknown, levels: number): boolean {
  let level = [value].filter(isObject);
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > levels) return true;
    level = level.flatMap((each) => Object.values(each).filter(isObject));
  }
  return false;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
