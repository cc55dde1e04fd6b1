/** The texts that were seen at one place: in a path, a query, a form, a header, or as strings of JSON. */

import { runInThisContext } from 'node:vm';
import { isSafeText } from 'concordat/observe';
import type { Format, Json } from 'concordat';
import { helperSource } from '../../../compiler/helpers.js';
import type { SchemaObject } from '../../../load/openapi.js';
import { FORMATS } from '../../../formats/format-table.js';

/** How a document is written. */
export interface WriteOptions {
  /** Write values that occur again and again as `enum`. */
  readonly enums: boolean;
  /** Write an example of each value that has no secret. */
  readonly examples: boolean;
  /** Whether a text has the value of a credential in it. */
  readonly isSecret: (text: string) => boolean;
  /** Whether a name is itself a credential. */
  readonly isSecretName: (name: string) => boolean;
}

/** The formats that are recognised, in the order of preference. Each is so narrow that other texts rarely have it. */
const RECOGNISED = [
  'date-time',
  'date',
  'uuid',
  'ipv4',
  'ipv6',
  'email',
  'uri',
] as const satisfies readonly Format[];

type Recognised = (typeof RECOGNISED)[number];

/** The tests of the formats are those of the generated checks, so that each recorded text fits the schema that is written. */
const TESTS = runInThisContext(
  `(() => {\n${helperSource(RECOGNISED.map(testOf))}\nreturn { ${RECOGNISED.map(testOf).join(', ')} };\n})()`,
) as Readonly<Record<string, (text: string) => boolean>>;

function testOf(format: Recognised): string {
  return FORMATS[format].tests.string ?? '';
}

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
  #count = 0;
  #whole = 0;
  #decimal = 0;
  #boolean = 0;
  #formats: readonly Recognised[] = RECOGNISED;
  /** All values, unless there are too many for an enum. */
  #values: Set<string> | undefined = new Set();
  #example: string | undefined;

  get count(): number {
    return this.#count;
  }

  /** @param isSensitive - whether no value may be kept */
  add(text: string, isSensitive: boolean): void {
    this.#count += 1;
    if (WHOLE.test(text)) this.#whole += 1;
    if (DECIMAL.test(text)) this.#decimal += 1;
    if (text === 'true' || text === 'false') this.#boolean += 1;
    if (this.#formats.length > 0) this.#formats = this.#formats.filter((format) => hasFormat(format, text));
    if (isSensitive || !isSafeText(text)) {
      this.#values = undefined;
      return;
    }
    this.#example = least(this.#example, text);
    this.#values?.add(text);
    if (this.#values !== undefined && this.#values.size > ENUM.values) this.#values = undefined;
  }

  merge(other: ObservedText): void {
    this.#count += other.#count;
    this.#whole += other.#whole;
    this.#decimal += other.#decimal;
    this.#boolean += other.#boolean;
    this.#formats = this.#formats.filter((format) => other.#formats.includes(format));
    this.#example = least(this.#example, other.#example);
    const values = this.#values && other.#values && new Set([...this.#values, ...other.#values]);
    this.#values = values === undefined || values.size > ENUM.values ? undefined : values;
  }

  /** The schema of texts that stay texts. */
  asString(options: WriteOptions): SchemaObject {
    const [format] = this.#count > 0 ? this.#formats : [];
    return { type: 'string', ...(format !== undefined && { format }), ...this.#shown(options, String) };
  }

  /** The schema of texts that are read as numbers and truth values where all are. */
  asAny(options: WriteOptions): SchemaObject {
    if (this.#count === 0) return {};
    if (this.#whole === this.#count) return { type: 'integer', ...this.#shown(options, Number) };
    if (this.#decimal === this.#count) return { type: 'number', ...this.#shown(options, Number) };
    if (this.#boolean === this.#count) return { type: 'boolean' };
    return this.asString(options);
  }

  #shown({ enums, examples, isSecret }: WriteOptions, read: (text: string) => Json): SchemaObject {
    const values = [...(this.#values ?? [])].sort();
    const isEnum =
      enums &&
      values.length > 0 &&
      this.#count >= ENUM.samples &&
      values.length * 2 <= this.#count &&
      !values.some(isSecret);
    const example = this.#example;
    return {
      ...(isEnum && { enum: values.map(read) }),
      ...(examples && example !== undefined && !isSecret(example) && { examples: [read(example)] }),
    };
  }
}

/** The first of two in alphabetical order, so that the order in which they came does not matter. */
function least(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one <= other ? one : other;
}
