/** The conversions that `values.ts` consists of, and the text of their functions, which convert to the types of handlers or back. */

import {
  accessor,
  code,
  type Code,
  identifier,
  joined,
  NOTHING,
  scalarLiteral,
  shortComment,
  stringLiteral,
} from '../../text/code.js';
import type { Tag } from '../../contract/schemas/discriminators.js';
import type { BuiltInCodec, ValueCodec } from '../../contract/schemas/value-types.js';

export type Way = 'decode' | 'encode';

const VALUE = code`value`;
const EXACT = code`exact`;

function call(way: Way, conversion: Conversion, value: Code, exact: Code): Code {
  const isExact = way === 'decode' && conversion.isExact;
  return code`${functionName(way, conversion)}(${value}${isExact ? code`, ${exact}` : NOTHING})`;
}

function functionName(way: Way, { kind, name }: Conversion): Code {
  return identifier(`${kind === 'function' ? way : way === 'decode' ? 'to' : 'from'}${name}`);
}

/** The expression of a property; names that every object inherits are looked up as own properties. */
function ownMember(object: Code, name: string): Code {
  if (!(name in Object.prototype)) return code`${object}${accessor(name)}`;
  const text = stringLiteral(name);
  return code`(Object.hasOwn(${object}, ${text}) ? ${object}[${text}] : undefined)`;
}

/** The expression of a property of an object that may be absent. */
function optional(object: Code, name: string): Code {
  const key = accessor(name);
  return key.startsWith('.') ? code`${object}?${key}` : code`${object}?.${key}`;
}

/** The statement that gives an object a property. */
function setMember(object: Code, name: string, value: Code): Code {
  // The copy already has an own property of this name, so that even `__proto__` sets the property and not the prototype.
  return code`${object}${accessor(name)} = ${value};`;
}

/** The expression of the check that recognises values of a schema. */
type CheckOf = (place: string, way: Way) => Code;

export function valueFunction(way: Way, conversion: FunctionConversion, checkOf: CheckOf): Code {
  const { about, isExact } = conversion;
  const content = conversion.content();
  const parameters = way === 'decode' && isExact ? code`value: any, exact: any = value` : code`value: any`;
  const lines =
    'scalar' in content
      ? [code`return ${call(way, content.scalar, VALUE, EXACT)};`]
      : 'choice' in content
        ? choiceLines(way, content.choice, checkOf)
        : [...arrayLines(way, content.parts), ...objectLines(way, content.parts)];
  const body = joined(inner(lines).map((line) => code`${line}\n`));
  return code`\n${shortComment(about)}\nexport function ${functionName(way, conversion)}(${parameters}): unknown {\n${body}}\n`;
}

function arrayLines(way: Way, { prefix, items }: Parts): readonly Code[] {
  const first = prefix.flatMap((conversion, index) =>
    conversion === undefined
      ? []
      : [code`at = ${index};`, code`if (at < value.length) result[at] = ${member(way, conversion)};`],
  );
  const loop = code`for (at = ${prefix.length}; at < value.length; at += 1)`;
  const rest = items === undefined ? [] : [code`${loop} result[at] = ${member(way, items)};`];
  const lines = [...first, ...rest];
  if (lines.length === 0) return [];
  return [code`if (Array.isArray(value)) {`, ...inner(converted(code`[...value]`, lines)), code`}`];
}

function objectLines(way: Way, parts: Parts): readonly Code[] {
  const known = parts.properties.flatMap(([name, conversion]) => {
    const value = ownMember(VALUE, name);
    const set = setMember(code`result`, name, call(way, conversion, value, optional(EXACT, name)));
    return [code`at = ${stringLiteral(name)};`, code`if (${value} !== undefined) ${set}`];
  });
  const lines = [...known, ...otherLines(way, parts)];
  if (lines.length === 0) return [code`return value;`];
  const isOther = code`typeof value !== "object" || value === null || Array.isArray(value)`;
  // A Date would become an object without properties.
  const refusal =
    way === 'encode' ? [code`if (isScalar(value)) throw new TypeError("must be an object");`] : [];
  return [code`if (${isOther}) return value;`, ...refusal, ...converted(code`{ ...value }`, lines)];
}

/** The loop over the properties that no schema lists. */
function otherLines(way: Way, { listed, patterns, additional }: Parts): readonly Code[] {
  const cases = [
    ...patterns.map(([pattern, conversion]) => ({
      test: code`if (new RegExp(${stringLiteral(pattern)}, "u").test(at)) `,
      conversion,
    })),
    { test: NOTHING, conversion: additional },
  ];
  if (cases.every(({ conversion }) => conversion === undefined)) return [];
  const set = cases.map(({ test, conversion }, index) => {
    const statement =
      conversion === undefined ? code`continue;` : code`result[at] = ${member(way, conversion)};`;
    return code`${index === 0 ? NOTHING : code`else `}${test}${statement}`;
  });
  const skip = listed.length === 0 ? [] : [code`if (${scalarLiteral(listed)}.includes(at)) continue;`];
  const absent = code`if (value[at] === undefined) continue;`;
  return [code`for (at of Object.keys(value)) {`, ...inner([...skip, absent, ...set]), code`}`];
}

function member(way: Way, conversion: Conversion): Code {
  return call(way, conversion, code`value[at]`, code`exact?.[at]`);
}

/** Converts a copy, because a handler may keep the value that it returns. */
function converted(copy: Code, lines: readonly Code[]): readonly Code[] {
  return [
    code`const result = ${copy};`,
    code`let at: any;`,
    code`try {`,
    ...inner(lines),
    code`} catch (error) {`,
    code`  throw within(at, error);`,
    code`}`,
    code`return result;`,
  ];
}

function choiceLines(way: Way, choice: Choice, checkOf: CheckOf): readonly Code[] {
  const returned = (conversion: Conversion | undefined): Code =>
    code`return ${conversion === undefined ? VALUE : call(way, conversion, VALUE, EXACT)};`;
  if ('property' in choice) {
    const cases = choice.branches.flatMap(({ values, conversion }) =>
      conversion === choice.otherwise
        ? []
        : [...values.map((value) => code`case ${scalarLiteral(value)}:`), code`  ${returned(conversion)}`],
    );
    const last = [code`default:`, code`  ${returned(choice.otherwise)}`];
    return [code`switch (${optional(VALUE, choice.property)}) {`, ...inner([...cases, ...last]), code`}`];
  }
  if (way === 'encode') {
    // A value of the team's own type may look like an object, so scalars are tried first.
    const ordered = choice.members.toSorted(
      (one, other) => rankOf(one.conversion) - rankOf(other.conversion),
    );
    const members = ordered.map(({ place, conversion }) => {
      const encode = conversion === undefined ? code`same` : functionName(way, conversion);
      return code`[${encode}, ${checkOf(place, way)}],`;
    });
    return [code`return firstEncoded(value, [`, ...inner(members), code`]);`];
  }
  // The request is valid, so a value that belongs to no other member belongs to the last.
  return choice.members.map(({ place, conversion }, index, { length }) => {
    const test = index === length - 1 ? NOTHING : code`if (${checkOf(place, way)}(value)) `;
    return code`${test}${returned(conversion)}`;
  });
}

/** Scalars, then unions that may contain scalars, then all others. */
function rankOf(conversion: Conversion | undefined): number {
  if (conversion === undefined) return 2;
  if (conversion.kind === 'scalar') return 0;
  return conversion.isUnion ? 1 : 2;
}

function inner(lines: readonly Code[]): readonly Code[] {
  return lines.map((line) => code`  ${line}`);
}

/** A conversion of values: of scalars by a codec, or by a generated function. */
export interface Conversion {
  readonly kind: 'scalar' | 'function';
  /** The name after the prefix `decode`, `encode`, `to` or `from`. */
  readonly name: string;
  /** Whether decoding needs the exact digits of integers. */
  readonly isExact: boolean;
  /** Whether the function chooses among alternatives. */
  readonly isUnion: boolean;
}

export interface ScalarConversion extends Conversion {
  readonly kind: 'scalar';
  readonly codec: BuiltInCodec | ValueCodec;
}

export interface FunctionConversion extends Conversion {
  readonly kind: 'function';
  readonly about: string;
  readonly content: () => Content;
}

/** The content of a value that is converted: a scalar, a choice of alternatives, or parts. */
export type Content =
  { readonly scalar: ScalarConversion } | { readonly choice: Choice } | { readonly parts: Parts };

/** The parts of an array and of an object. */
export interface Parts {
  readonly properties: readonly (readonly [name: string, conversion: Conversion])[];
  /** Every name that some schema lists. */
  readonly listed: readonly string[];
  readonly patterns: readonly (readonly [pattern: string, conversion: Conversion | undefined])[];
  readonly additional: Conversion | undefined;
  readonly prefix: readonly (Conversion | undefined)[];
  readonly items: Conversion | undefined;
}

/** Alternatives: the value of a property picks one, or else the checks of the members do. */
export type Choice =
  | {
      readonly property: string;
      readonly branches: readonly {
        readonly values: readonly Tag[];
        readonly conversion: Conversion | undefined;
      }[];
      readonly otherwise: Conversion | undefined;
    }
  | { readonly members: readonly { readonly place: string; readonly conversion: Conversion | undefined }[] };
