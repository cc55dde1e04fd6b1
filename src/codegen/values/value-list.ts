/** Chooses the values of a contract that are converted, and writes `values.js`. */

import { ContractSchemas, type SchemaOptions } from '../schemas/contract-schemas.js';
import type { OpenApiDocument, SchemaObject } from '../schemas/document.js';
import type { ScalarConversion } from './conversion.js';
import { Conversions } from './conversions.js';
import { valueFunction, type Way } from './value-function.js';
import { CODECS, ENCODE_UNION, IS_SCALAR, WITHIN } from './value-helpers.js';
import { ValuePlaces } from './value-places.js';
import type { ValueCodec, ValueTypes } from './value-types.js';

/** Orders a check that recognises the schema at a place, and gives its name. */
export type OrderCheck = (place: string, direction: 'request' | 'response') => string;

/** The place of a schema, or a schema that the generator made for a place. */
export type ValueSource = string | { readonly schema: SchemaObject; readonly at: string };

export interface ValuesFile {
  readonly js: string;
  readonly dts: string;
  /** Places of values that stay text or numbers, because the generated types do not describe them. */
  readonly untyped: readonly string[];
}

/** Collects the conversions of a contract; uses of one schema share one. */
export class ValueList {
  readonly #places: ValuePlaces;
  readonly #conversions: Conversions;

  constructor(document: OpenApiDocument, types: ValueTypes, options: SchemaOptions) {
    this.#places = new ValuePlaces(new ContractSchemas(document, options), types);
    this.#conversions = new Conversions(this.#places);
  }

  get isEmpty(): boolean {
    return [...this.#conversions.functions].length === 0;
  }

  /**
   * The function for the values of a schema; undefined when they stay as they are.
   *
   * @param name - the end of the function's name, unless the schema is a component
   */
  order(way: Way, source: ValueSource, name: string): string | undefined {
    const root = this.#conversions.root(this.#placeOf(source), name);
    return root && `${way}${root.name}`;
  }

  /** Whether the values of the schema at a place are converted themselves. */
  converts(place: string): boolean {
    return this.#places.isScalar(place);
  }

  /** Whether decoding the values of a schema needs the exact digits of integers. */
  isExact(source: ValueSource): boolean {
    return this.#places.isExact(this.#placeOf(source));
  }

  #placeOf(source: ValueSource): string {
    return typeof source === 'string' ? source : this.#places.add(source);
  }

  /** Writes the module. @param orderCheck - called for each member of a union that only its check recognises */
  file(banner: string, orderCheck: OrderCheck): ValuesFile {
    const checks = { decode: 'check', encode: 'responseCheck' } as const;
    const checkOf = (place: string, way: Way): string =>
      `${checks[way]}.${orderCheck(place, way === 'decode' ? 'request' : 'response')}`;
    const functions: string[] = [];
    const names: string[] = [];
    // Writing a function may add others, which this loop reaches.
    for (const conversion of this.#conversions.functions) {
      for (const way of ['decode', 'encode'] as const) {
        functions.push(valueFunction(way, conversion, checkOf));
        names.push(`${way}${conversion.name}`);
      }
    }
    const text = functions.join('');
    const scalars = [...this.#conversions.scalars];
    const modules = [
      ...new Set(scalars.flatMap(({ codec }) => (typeof codec === 'string' ? [] : [codec.from]))),
    ];
    const imports = [
      ...(/\bcheck\./.test(text) ? ['import * as check from "./validators.js";\n'] : []),
      ...(text.includes('responseCheck.')
        ? ['import * as responseCheck from "./response-validators.js";\n']
        : []),
      ...modules.map((from, index) => `import * as codec${String(index)} from ${JSON.stringify(from)};\n`),
    ];
    const helpers = [
      ...scalars.map((scalar) => scalarText(scalar, modules)),
      ...(text.includes('within(') ? [WITHIN] : []),
      ...(/isScalar\(|encodeUnion\(/.test(text) ? [IS_SCALAR] : []),
      ...(text.includes('encodeUnion(') ? [ENCODE_UNION] : []),
    ];
    return {
      js: [banner, ABOUT, imports.length > 0 ? `\n${imports.join('')}` : '', ...helpers, text].join(''),
      dts: `${banner}\n${CONVERT}${names.map((name) => `export declare const ${name}: Convert;\n`).join('')}`,
      untyped: this.#places.untyped,
    };
  }
}

const ABOUT = `
// Converts values: what requests carry to what handlers get, and what handlers answer to what responses carry.
`;

const CONVERT = `/** Converts a value and gives a copy; it throws where a part cannot be converted. */
type Convert = (value: unknown, exact?: unknown) => unknown;

`;

function scalarText({ name, codec }: ScalarConversion, modules: readonly string[]): string {
  return typeof codec === 'string'
    ? CODECS[codec].text
    : ownCodec(name, codec, `codec${String(modules.indexOf(codec.from))}`);
}

function ownCodec(name: string, { type, decode, encode }: ValueCodec, module: string): string {
  return `
function to${name}(value) {
  if (typeof value !== "string" && typeof value !== "number") return value;
  try {
    return ${module}.${decode}(value);
  } catch (cause) {
    throw new TypeError("must be a valid ${type}", { cause });
  }
}

function from${name}(value) {
  return value === null ? null : ${module}.${encode}(value);
}
`;
}
