/** The texts that were seen at one place: in a path, a query, a form, a header, or as strings of JSON. */

import { runInThisContext } from 'node:vm';
import { isHarmless, isPlainText, shapeOf } from '@concordat/runtime/observe';
import type { Json } from '@concordat/runtime';
import type { Format } from '@concordat/runtime/parts';
import { FORMATS, type SchemaObject, helperSource } from 'concordat/contract';
import { CALLERS, Callers } from './callers.js';

/** How a document is written. */
export interface WriteOptions {
  /** Write values that several callers send or get again and again as `enum`. */
  readonly enums: boolean;
  /** Write an example of each value: one that is harmless, or one that is made up and has the same shape. */
  readonly examples: boolean;
  /** Whether a text has the value of a credential in it. */
  readonly isSecret: (text: string) => boolean;
  /** Whether a name is itself a credential. */
  readonly isSecretName: (name: string) => boolean;
  /** Whether a name that these callers send or get is no secret of one of them. */
  readonly isShared: (callers: Callers) => boolean;
  /** Whether a text is a value of an `enum` in the document that exists. */
  readonly isKnown?: (text: string) => boolean;
}

/** How a value came. */
export interface Source {
  /** Tells callers apart. */
  readonly caller: string;
  /** Whether no value may be kept. */
  readonly isSensitive: boolean;
}

/** Made-up texts of the formats whose texts are not harmless. */
const MADE_UP: Readonly<Partial<Record<Recognised, string>>> = {
  uuid: '11111111-1111-4111-8111-111111111111',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
};

/** The formats that are recognised, in the order of preference. Each is so narrow that other texts rarely have it. */
const RECOGNISED = ['date-time', 'date', 'uuid', 'ipv4', 'ipv6', 'email', 'uri'] as const satisfies Format[];

type Recognised = (typeof RECOGNISED)[number];

const testOf = (format: Recognised): string => FORMATS[format].tests.string ?? '';

/** The tests of the formats are those of the generated checks, so that each recorded text fits the schema that is written. */
const TESTS = runInThisContext(
  `(() => {\n${helperSource(RECOGNISED.map(testOf))}\nreturn { ${RECOGNISED.map(testOf).join(', ')} };\n})()`,
) as Readonly<Record<string, (text: string) => boolean>>;

function hasFormat(format: Recognised, text: string): boolean {
  // Any word and a colon begin a URI, and any name without dots is an IPv6 address of some kind.
  if (format === 'uri' && !/^https?:\/\//i.test(text)) return false;
  return TESTS[testOf(format)]?.(text) === true;
}

const WHOLE = /^(?:0|-?[1-9]\d{0,14})$/;
const DECIMAL = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/;

/** An enum has at most so many values, which occur at least so often in total. */
const ENUM = { values: 8, samples: 10 } as const;

/** It counts, so that the order of the samples does not matter. */
export class ObservedText {
  readonly #counts = { all: 0, whole: 0, decimal: 0, boolean: 0 };
  #formats: readonly Recognised[] = RECOGNISED;
  /** The callers of each value that may be a word of many, unless there are too many values for an enum. */
  #values: Map<string, Set<string>> | undefined = new Map();
  #example: string | undefined;
  #shape: string | undefined;
  readonly callers = new Callers();

  get count(): number {
    return this.#counts.all;
  }

  add(text: string, { caller, isSensitive }: Source): void {
    this.#counts.all += 1;
    this.callers.add(caller);
    if (WHOLE.test(text)) this.#counts.whole += 1;
    if (DECIMAL.test(text)) this.#counts.decimal += 1;
    if (text === 'true' || text === 'false') this.#counts.boolean += 1;
    if (this.#formats.length > 0) this.#formats = this.#formats.filter((format) => hasFormat(format, text));
    this.#shape = least(this.#shape, shapeOf(text));
    if (!isSensitive && isHarmless(text)) this.#example = least(this.#example, text);
    this.#keep(isSensitive || !isPlainText(text) ? undefined : new Map([[text, new Set([caller])]]));
  }

  /** Adds values with their callers; undefined if they cannot be those of an enum. */
  #keep(others: ReadonlyMap<string, ReadonlySet<string>> | undefined): void {
    if (others === undefined) this.#values = undefined;
    for (const [text, callers] of others ?? []) {
      const own = this.#values?.get(text) ?? new Set<string>();
      for (const caller of callers) if (own.size < CALLERS) own.add(caller);
      this.#values?.set(text, own);
    }
    if (this.#values !== undefined && this.#values.size > ENUM.values) this.#values = undefined;
  }

  merge(other: ObservedText): void {
    this.callers.merge(other.callers);
    for (const kind of ['all', 'whole', 'decimal', 'boolean'] as const)
      this.#counts[kind] += other.#counts[kind];
    this.#formats = this.#formats.filter((format) => other.#formats.includes(format));
    this.#example = least(this.#example, other.#example);
    this.#shape = least(this.#shape, other.#shape);
    this.#keep(other.#values);
  }

  /** The schema of texts that stay texts. */
  asString(options: WriteOptions): SchemaObject {
    const [format] = this.#counts.all > 0 ? this.#formats : [];
    return { type: 'string', ...(format !== undefined && { format }), ...this.#shown(options, String) };
  }

  /** The schema of texts that are read as numbers and truth values where all are. */
  asAny(options: WriteOptions): SchemaObject {
    if (this.#counts.all === 0) return {};
    if (this.#counts.whole === this.#counts.all) return { type: 'integer', ...this.#shown(options, Number) };
    if (this.#counts.decimal === this.#counts.all) return { type: 'number', ...this.#shown(options, Number) };
    if (this.#counts.boolean === this.#counts.all) return { type: 'boolean' };
    return this.asString(options);
  }

  #shown({ enums, examples, isSecret, isKnown }: WriteOptions, read: (text: string) => Json): SchemaObject {
    const values = [...(this.#values ?? [])].sort(([one], [other]) => (one < other ? -1 : 1));
    const shown = values
      .filter(([text, { size }]) => size >= CALLERS || isHarmless(text) || isKnown?.(text) === true)
      .map(([text]) => text)
      .filter((text) => !isSecret(text));
    const isEnum =
      enums &&
      shown.length > 0 &&
      shown.length === values.length &&
      this.#counts.all >= ENUM.samples &&
      values.length * 2 <= this.#counts.all;
    const [format] = this.#formats;
    const madeUp = format === undefined ? this.#shape : MADE_UP[format];
    const harmless = this.#example !== undefined && !isSecret(this.#example) ? this.#example : undefined;
    const example = shown[0] ?? harmless ?? madeUp;
    return {
      ...(isEnum && { enum: shown.map(read) }),
      ...(examples && example !== undefined && { examples: [read(example)] }),
    };
  }
}

/** The lesser of two, so that the order in which they came does not matter. */
export function least<Value extends string | number>(
  one: Value | undefined,
  other: Value | undefined,
): Value | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one <= other ? one : other;
}
