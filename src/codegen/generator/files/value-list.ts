/** Chooses the values of a contract that are converted, names the functions for them, and writes `values.ts`. */

import type { ContractSchemas, SchemaNode } from '../../contract/schemas/contract-schemas.js';
import type { HeaderModel, MediaTypeModel, OperationModel } from '../../contract/model/model.js';
import type { ValueCodec } from '../../contract/schemas/value-types.js';
import { type Code, NOTHING, accessor, code, identifier, joined, stringLiteral } from '../../text/code.js';
import { pascalCase } from '../../text/identifiers.js';
import { type Verbatim, memberOf } from '../../text/literal.js';
import { Conversions } from '../conversions/conversions.js';
import { type ScalarConversion, type Way, valueFunction } from '../conversions/value-function.js';
import { CODECS, FIRST_ENCODED, IS_SCALAR, WITHIN } from '../conversions/value-helpers.js';
import { ValuePlaces } from '../conversions/value-places.js';
import { type CheckList, objectOf, parametersByLocation } from './checks.js';

/** The import of `values.js`. */
export const VALUES = code`value`;

interface ValuesFile {
  readonly text: Code;
  /** Places of values that remain text or numbers, because the generated types do not describe them. */
  readonly untyped: readonly string[];
}

/** Collects the conversions of a contract; all uses of a schema share one conversion. */
export class ValueList {
  readonly #places = new ValuePlaces();
  readonly #conversions = new Conversions(this.#places);

  constructor(private readonly schemas: ContractSchemas) {}

  get isEmpty(): boolean {
    return [...this.#conversions.functions].length === 0;
  }

  /** The function that converts the parameters of a request. */
  parameters(way: Way, operation: OperationModel): Verbatim | undefined {
    return this.#order(way, this.#parametersOf(operation), `${operation.typeName}Parameters`);
  }

  /** The function that decodes the headers of an answer, as `{ headers }`. @param part - the end of the function's name */
  headers(
    { typeName, pointer }: OperationModel,
    part: string,
    headers: readonly HeaderModel[],
  ): Verbatim | undefined {
    const schema = { properties: { headers: objectOf(headers) } };
    const node = this.schemas.made(schema, `${pointer}/responses/${part}/headers`);
    return this.#order('decode', node, `${typeName}${part}Headers`);
  }

  /** @param name - the end of the function's name, unless the body is a component */
  body(way: Way, name: string, media: MediaTypeModel): Verbatim | undefined {
    const node = convertible(media);
    return node && this.#order(way, node, pascalCase(name));
  }

  header({ name, node }: HeaderModel): Verbatim | undefined {
    return node && this.#order('encode', node, `Header${pascalCase(name)}`);
  }

  /** Whether a value in the request needs the exact digits of integers. */
  isExact(operation: OperationModel): boolean {
    const isExact = this.#places.isExact(this.#parametersOf(operation));
    return isExact || this.isExactContent(operation.requestBody?.content ?? []);
  }

  /** Whether a value in a body needs the exact digits of integers. */
  isExactContent(content: readonly MediaTypeModel[]): boolean {
    return content.some((media) => {
      const node = convertible(media);
      return node !== undefined && this.#places.isExact(node);
    });
  }

  /** The function for the values of a schema; undefined if they are not converted. @param name - its end, unless the schema is a component */
  #order(way: Way, node: SchemaNode, name: string): Verbatim | undefined {
    const root = this.#conversions.root(node, name);
    return memberOf(VALUES, root && `${way}${root.name}`);
  }

  /** The function that decodes the values of a component, if a whole value or a part of one is converted by it. */
  decoder(place: string): Verbatim | undefined {
    const known = this.#conversions.known(this.schemas.at(place));
    return memberOf(VALUES, known && `decode${known.name}`);
  }

  /** Whether a schema has values to convert, at any depth. */
  isConverted(place: string): boolean {
    return this.#places.isConverted(this.schemas.at(place));
  }

  #parametersOf({ parameters, pointer }: OperationModel): SchemaNode {
    return this.schemas.made({ properties: parametersByLocation(parameters) }, `${pointer}/parameters`);
  }

  /** Writes the module. @param checks - gets the checks that recognise the members of unions */
  file(banner: Code, list: CheckList): ValuesFile {
    const checks = { decode: code`check`, encode: code`responseCheck` };
    const checkOf = (place: string, way: Way): Code =>
      code`${checks[way]}${accessor(list.alternative(place, way === 'decode' ? 'request' : 'response'))}`;
    const functions: Code[] = [];
    // Writing a function may add others, which this loop reaches.
    for (const conversion of this.#conversions.functions) {
      for (const way of ['decode', 'encode'] as const)
        functions.push(valueFunction(way, conversion, checkOf));
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
function convertible({ node, kind, checked = node }: MediaTypeModel): SchemaNode | undefined {
  return kind === 'bytes' ? undefined : checked;
}
