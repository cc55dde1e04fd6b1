/** Chooses the values of a contract that are converted, names the functions for them, and writes `values.ts`. */

import { ContractSchemas } from '../../contract/schemas/contract-schemas.js';
import type { OpenApiDocument, Fields } from '../../contract/schemas/document.js';
import type { HeaderModel, MediaTypeModel, OperationModel } from '../../contract/model/model.js';
import type { ValueCodec, ValueTypes } from '../../contract/model/value-types.js';
import { type Code, NOTHING, accessor, code, identifier, joined, stringLiteral } from '../../text/code.js';
import { pascalCase } from '../../text/identifiers.js';
import { type Verbatim, memberOf } from '../../text/literal.js';
import { Conversions } from '../conversions/conversions.js';
import { type ScalarConversion, type Way, valueFunction } from '../conversions/value-function.js';
import { CODECS, FIRST_ENCODED, IS_SCALAR, WITHIN } from '../conversions/value-helpers.js';
import { ValuePlaces } from '../conversions/value-places.js';
import { type CheckList, parametersByLocation } from './checks.js';

/** The import of `values.js`. */
export const VALUES = code`value`;

/** The place of a schema, or a schema that the generator made for a place. */
type ValueSource = string | { readonly schema: Fields; readonly at: string };

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

  /** The function that converts the parameters of a request. */
  parameters(way: Way, operation: OperationModel): Verbatim | undefined {
    return this.#order(way, parametersOf(operation), `${operation.typeName}Parameters`);
  }

  /** The function that decodes the headers of an answer, as `{ headers }`. @param part - the end of the function's name */
  headers(
    { typeName, pointer }: OperationModel,
    part: string,
    headers: readonly HeaderModel[],
  ): Verbatim | undefined {
    const members = headers.map(({ name, schemaAt }): [string, object] => [name, { $ref: schemaAt }]);
    const properties = { headers: { properties: Object.fromEntries(members) } };
    const source = { schema: { properties }, at: `${pointer}/responses/${part}/headers` };
    return this.#order('decode', source, `${typeName}${part}Headers`);
  }

  /** @param name - the end of the function's name, unless the body is a component */
  body(way: Way, name: string, media: MediaTypeModel): Verbatim | undefined {
    return isConvertible(media) ? this.#order(way, bodyOf(media), pascalCase(name)) : undefined;
  }

  header({ name, schema, schemaAt }: HeaderModel): Verbatim | undefined {
    return schema === undefined ? undefined : this.#order('encode', schemaAt, `Header${pascalCase(name)}`);
  }

  /** Whether a value in the request needs the exact digits of integers. */
  isExact(operation: OperationModel): boolean {
    const isExact = this.#places.isExact(this.#placeOf(parametersOf(operation)));
    return isExact || this.isExactContent(operation.requestBody?.content ?? []);
  }

  /** Whether a value in a body needs the exact digits of integers. */
  isExactContent(content: readonly MediaTypeModel[]): boolean {
    return content.filter(isConvertible).some((media) => this.#places.isExact(this.#placeOf(bodyOf(media))));
  }

  /** The function for the values of a schema; undefined if they are not converted. @param name - its end, unless the schema is a component */
  #order(way: Way, source: ValueSource, name: string): Verbatim | undefined {
    const root = this.#conversions.root(this.#placeOf(source), name);
    return memberOf(VALUES, root && `${way}${root.name}`);
  }

  /** Whether the values of the schema at a place are converted themselves. */
  converts(place: string): boolean {
    return this.#places.isScalar(place);
  }

  #placeOf(source: ValueSource): string {
    return typeof source === 'string' ? source : this.#places.add(source);
  }

  /** Writes the module. @param checks - gets the checks that recognise the members of unions */
  file(banner: Code, list: CheckList): ValuesFile {
    const checks = { decode: code`check`, encode: code`responseCheck` };
    const checkOf = (place: string, way: Way): Code =>
      code`${checks[way]}${accessor(list.alternative(place, way === 'decode' ? 'request' : 'response'))}`;
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

/** The schema of a body, or of its items as checked, because the data of events may be decoded before conversion. */
function bodyOf({ kind, checked, schemaAt }: MediaTypeModel): ValueSource {
  return kind === 'items' && typeof checked === 'object' ? { schema: checked, at: schemaAt } : schemaAt;
}

function isConvertible({ schema, kind }: MediaTypeModel): boolean {
  return schema !== undefined && kind !== 'bytes';
}

function parametersOf({ parameters, pointer }: OperationModel): ValueSource {
  return { schema: { properties: parametersByLocation(parameters) }, at: `${pointer}/parameters` };
}
