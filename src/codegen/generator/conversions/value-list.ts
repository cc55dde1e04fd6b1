/** Chooses the values of a contract that are converted, and writes `values.ts`. */

import { ContractSchemas } from '../../contract/schemas/contract-schemas.js';
import type { OpenApiDocument, SchemaObject } from '../../contract/schemas/document.js';
import { type ScalarConversion, valueFunction, type Way } from './value-function.js';
import { Conversions } from './conversions.js';
import { type Code, NOTHING, accessor, code, identifier, joined, stringLiteral } from '../../text/code.js';
import { CODECS, FIRST_ENCODED, IS_SCALAR, WITHIN } from './value-helpers.js';
import { ValuePlaces } from './value-places.js';
import type { ValueCodec, ValueTypes } from '../../contract/model/value-types.js';

/** Requests a check for the schema at a place, and returns its name. */
type OrderCheck = (place: string, direction: 'request' | 'response') => string;

/** The place of a schema, or a schema that the generator made for a place. */
export type ValueSource = string | { readonly schema: SchemaObject; readonly at: string };

interface ValuesFile {
  readonly text: Code;
  /** Places of values that remain text or numbers, because the generated types do not describe them. */
  readonly untyped: readonly string[];
}

/** Collects the conversions of a contract; all uses of a schema share one conversion. */
export class ValueList {
  readonly #places: ValuePlaces;
  readonly #conversions: Conversions;

  constructor(document: OpenApiDocument, types: ValueTypes) {
    this.#places = new ValuePlaces(new ContractSchemas(document), types);
    this.#conversions = new Conversions(this.#places);
  }

  get isEmpty(): boolean {
    return [...this.#conversions.functions].length === 0;
  }

  /**
   * The function for the values of a schema; undefined if they are not converted.
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

  /** Writes the module. @param orderCheck - called for each member of a union that only a check can recognise */
  file(banner: Code, orderCheck: OrderCheck): ValuesFile {
    const checks = { decode: code`check`, encode: code`responseCheck` };
    const checkOf = (place: string, way: Way): Code =>
      code`${checks[way]}${accessor(orderCheck(place, way === 'decode' ? 'request' : 'response'))}`;
    const functions: Code[] = [];
    // Writing a function may add others, which this loop reaches.
    for (const conversion of this.#conversions.functions) {
      for (const way of ['decode', 'encode'] as const) {
        functions.push(valueFunction(way, conversion, checkOf));
      }
    }
    const text = joined(functions);
    const scalars = [...this.#conversions.scalars];
    const modules = [
      ...new Set(scalars.flatMap(({ codec }) => (typeof codec === 'string' ? [] : [codec.from]))),
    ];
    const imports = joined([
      /\bcheck\./.test(text) ? code`import * as check from "./validators.js";\n` : NOTHING,
      text.includes('responseCheck.')
        ? code`import * as responseCheck from "./response-validators.js";\n`
        : NOTHING,
      ...modules.map((from, index) => code`import * as codec${index} from ${stringLiteral(from)};\n`),
    ]);
    const helpers = [
      ...scalars.map((scalar) => scalarText(scalar, modules)),
      ...(text.includes('within(') ? [WITHIN] : []),
      ...(/isScalar\(|firstEncoded\(/.test(text) ? [IS_SCALAR] : []),
      ...(text.includes('firstEncoded(') ? [FIRST_ENCODED] : []),
    ];
    return {
      text: joined([banner, ABOUT, imports.length > 0 ? code`\n${imports}` : NOTHING, ...helpers, text]),
      untyped: this.#places.untyped,
    };
  }
}

const ABOUT = code`
// Converts values: from requests to the types of handlers, and from the types of handlers to responses.
`;

function scalarText({ name, codec }: ScalarConversion, modules: readonly string[]): Code {
  return typeof codec === 'string'
    ? CODECS[codec].text
    : ownCodec(name, codec, code`codec${modules.indexOf(codec.from)}`);
}

function ownCodec(name: string, { type, decode, encode }: ValueCodec, module: Code): Code {
  return code`
function ${identifier(`to${name}`)}(value: any): any {
  if (typeof (value as unknown) !== "string" && typeof (value as unknown) !== "number") return value;
  try {
    return ${module}${accessor(decode)}(value);
  } catch (cause) {
    throw new TypeError(${stringLiteral(`must be a valid ${type}`)}, { cause });
  }
}

function ${identifier(`from${name}`)}(value: any): any {
  return value === null ? null : ${module}${accessor(encode)}(value);
}
`;
}
