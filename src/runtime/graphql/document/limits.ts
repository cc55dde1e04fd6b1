/** Limits the size and nesting of a document before it is validated, the nesting of its variables, and the response size and time of one execution. */

import {
  type DocumentNode,
  type FieldNode,
  Kind,
  Lexer,
  type SelectionSetNode,
  Source,
  TokenKind,
} from 'graphql';
import { fragmentsOf } from '../compiler/selections.js';

export interface Limits {
  /** Levels of nested fields: `{ users { id } }` has two. Introspection is not counted. */
  readonly depth: number;
  /** Lexical tokens of the whole document. */
  readonly tokens: number;
  /** Fields with an alias in one operation; those of a fragment count each time that it is spread. */
  readonly aliases: number;
  /** Fields of one name or alias in a document. Validation compares every two of them. */
  readonly repeats: number;
  /** Bytes of one response: exact if the engine writes it as JSON, otherwise estimated from its names and values. Each event of a subscription is a response. */
  readonly responseBytes: number;
  /** Seconds from the start of an operation, or of an event of a subscription, to its response. */
  readonly seconds: number;
}

export const defaultLimits: Limits = {
  depth: 12,
  tokens: 2000,
  aliases: 30,
  repeats: 500,
  responseBytes: 16 * 1024 * 1024,
  seconds: 30,
};

/** The size of an operation with its fragments expanded. */
interface Measure extends Pick<Limits, 'depth' | 'aliases' | 'repeats'> {
  /** Fields, inline fragments and spreads. */
  readonly selections: number;
}

/** The figures of a set of selections. */
type Size = Omit<Measure, 'repeats'>;

const NOTHING: Size = { depth: 0, aliases: 0, selections: 0 };

/**
 * Measures a document before validation: the largest figures of any of its operations. Each fragment is measured once,
 * however often it is spread, so nested fragments cannot make the measurement slow. A fragment that spreads itself, which
 * validation will refuse, is not followed again.
 */
export function measureDocument(document: DocumentNode): Measure {
  const fragments = fragmentsOf(document);
  const measures = new Map<string, Size>();
  const counts = new Map<string, number>();

  function ofSelections(set: SelectionSetNode | undefined): Size {
    if (set === undefined) return NOTHING;
    let { depth, aliases, selections } = NOTHING;
    for (const selection of set.selections) {
      const inner =
        selection.kind === Kind.FIELD
          ? ofField(selection)
          : selection.kind === Kind.INLINE_FRAGMENT
            ? ofSelections(selection.selectionSet)
            : ofFragment(selection.name.value);
      depth = Math.max(depth, inner.depth);
      aliases += inner.aliases;
      selections += inner.selections + 1;
    }
    return { depth, aliases, selections };
  }

  function ofField(field: FieldNode): Size {
    const inner = ofSelections(field.selectionSet);
    const { value } = field.alias ?? field.name;
    counts.set(value, (counts.get(value) ?? 0) + 1);
    return {
      depth: field.name.value.startsWith('__') ? 0 : inner.depth + 1,
      aliases: inner.aliases + (field.alias === undefined ? 0 : 1),
      selections: inner.selections,
    };
  }

  function ofFragment(name: string): Size {
    const known = measures.get(name);
    if (known !== undefined) return known;
    measures.set(name, NOTHING);
    const size = ofSelections(fragments.get(name)?.selectionSet);
    measures.set(name, size);
    return size;
  }

  const largest = document.definitions.reduce<Size>((largest, definition) => {
    if (definition.kind !== Kind.OPERATION_DEFINITION) return largest;
    const own = ofSelections(definition.selectionSet);
    return {
      depth: Math.max(largest.depth, own.depth),
      aliases: Math.max(largest.aliases, own.aliases),
      selections: Math.max(largest.selections, own.selections),
    };
  }, NOTHING);
  let repeats = 0;
  for (const count of counts.values()) repeats = Math.max(repeats, count);
  return { ...largest, repeats };
}

/** @returns a sentence that names the limit that a document exceeds; undefined when it exceeds none */
export function exceededLimit(
  measure: Measure,
  limits: Pick<Limits, 'depth' | 'aliases' | 'repeats'>,
): string | undefined {
  for (const name of ['depth', 'aliases', 'repeats'] as const) {
    if (measure[name] > limits[name]) {
      return `The operation has ${name} ${String(measure[name])}; the limit is ${String(limits[name])}`;
    }
  }
  return undefined;
}

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
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isNestedDeeper(each, levels - 1));
}
