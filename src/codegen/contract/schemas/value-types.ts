/** The TypeScript types that a team gives to the values of a format, and the schemas that have such values. */

import { type Code, code, identifier, stringLiteral } from '../../text/code.js';
import { kebabCase } from '../../text/identifiers.js';

/** A type of the team's own, and the functions of one module that convert to it and from it. */
export interface ValueCodec {
  /** The name of the exported type, such as `Decimal`. */
  readonly type: string;
  /** The module that exports the type and both functions, as the generated files import it: `../money.js`. */
  readonly from: string;
  /** The name of the function that converts a valid string or number to the type. If it throws, the request is refused with 400. */
  readonly decode: string;
  /** The name of the reverse function. It throws a `TypeError` for a value of another type. */
  readonly encode: string;
}

/** The types that need no codec. */
export const BUILT_IN = ['Date', 'bigint', 'Uint8Array'] as const;

/** The codec that `init` writes for a type: `Money` is in `src/values/money.ts`, beside the generated files. */
export function codecOfType(type: string): ValueCodec {
  return { type, from: `../src/values/${kebabCase(type)}.js`, decode: `read${type}`, encode: `write${type}` };
}

/** A built-in type, or one of the team's own. */
export type ValueType = (typeof BUILT_IN)[number] | ValueCodec;

/** Value types by `format`, or by the name of a GraphQL scalar. */
export type ValueTypes = Readonly<Record<string, ValueType>>;

/** The conversion of the values of one schema. */
export interface Leaf {
  /** The TypeScript type of values other than null. */
  readonly type: Code;
  readonly codec: BuiltInCodec | ValueCodec;
  readonly nullable: boolean;
}

/** The last three are for `bigint`: `int64` and `uint64` are JSON numbers, `digits` is a string of digits. */
export type BuiltInCodec = 'dateTime' | 'date' | 'bytes' | 'int64' | 'uint64' | 'digits';

/** The keywords of a schema that decide whether its values are converted. */
interface ScalarSchema {
  readonly $ref?: unknown;
  readonly type?: unknown;
  readonly format?: unknown;
}

/**
 * The conversion of a schema's values; undefined if they are not converted. A schema is converted if it has one type, apart from
 * null, that suits the format's value type. Values of an `enum` or `const` remain literals.
 */
export function leafOf(types: ValueTypes, schema: ScalarSchema): Leaf | undefined {
  const { type, format } = schema;
  if (typeof format !== 'string' || !Object.hasOwn(types, format)) return undefined;
  const valueType = types[format];
  if ('$ref' in schema || 'enum' in schema || 'const' in schema) return undefined;
  const names: readonly unknown[] = Array.isArray(type) ? type : [type];
  const [only, ...others] = names.filter((name) => name !== 'null');
  const wire = only === 'integer' ? 'number' : only;
  if (valueType === undefined || others.length > 0 || (wire !== 'string' && wire !== 'number'))
    return undefined;
  const codec = codecOf(valueType, wire, format);
  return codec && { type: typeText(valueType), codec, nullable: names.includes('null') };
}

/** The TypeScript text of a value type. Types of a team are imported in place, so that no name of a schema can hide them. */
export function typeText(type: ValueType): Code {
  if (typeof type === 'string') return identifier(type);
  return code`import(${stringLiteral(type.from)}).${identifier(type.type)}`;
}

/** Whether values are numbers in JSON, and bigints for handlers. */
export function isExactInteger(leaf: Leaf | undefined): boolean {
  return leaf?.codec === 'int64' || leaf?.codec === 'uint64';
}

/** @throws when a format cannot have a type */
export function requireValueTypes(types: ValueTypes): void {
  if (Object.hasOwn(types, 'binary'))
    throw new Error('values: binary is bytes or a file already; the format of Base64 is byte');
  for (const [format, type] of Object.entries(types)) {
    if (typeof type !== 'string' || BUILT_IN.includes(type)) continue;
    throw new Error(`values: ${format} is ${type}, and not one of ${BUILT_IN.join(', ')} or a codec`);
  }
}

function codecOf(type: ValueType, wire: 'string' | 'number', format: string): Leaf['codec'] | undefined {
  switch (type) {
    case 'bigint':
      if (wire === 'string') return 'digits';
      return format === 'uint64' ? 'uint64' : 'int64';
    case 'Date':
      if (wire === 'number') return undefined;
      return format === 'date' ? 'date' : 'dateTime';
    case 'Uint8Array':
      return wire === 'number' ? undefined : 'bytes';
    default:
      return type;
  }
}
