/** Writes a function of `values.js`, which converts values of some schemas: to what handlers get, or back. */

import type { Choice, Conversion, FunctionConversion, Parts } from './conversion.js';
import { accessor } from '../text/names.js';

export type Way = 'decode' | 'encode';

function call(way: Way, conversion: Conversion, value: string, exact: string): string {
  const isExact = way === 'decode' && conversion.isExact;
  return `${functionName(way, conversion)}(${value}${isExact ? `, ${exact}` : ''})`;
}

function functionName(way: Way, { kind, name }: Conversion): string {
  return `${kind === 'function' ? way : way === 'decode' ? 'to' : 'from'}${name}`;
}

/** The expression of a property; names that every object inherits are looked up as own properties. */
function own(object: string, name: string): string {
  if (!(name in Object.prototype)) return `${object}${accessor(name)}`;
  const text = JSON.stringify(name);
  return `(Object.hasOwn(${object}, ${text}) ? ${object}[${text}] : undefined)`;
}

/** The expression of a property of what may be absent. */
function optional(object: string, name: string): string {
  const text = accessor(name);
  return `${object}?.${text.startsWith('.') ? text.slice(1) : text}`;
}

/** The statement that gives an object a property. */
function setOwn(object: string, name: string, value: string): string {
  // The copy has an own property of this name already, so that even `__proto__` is set and not inherited.
  return `${object}${accessor(name)} = ${value};`;
}

/** The expression of the check that recognises values of a schema. */
type CheckOf = (place: string, way: Way) => string;

export function valueFunction(way: Way, conversion: FunctionConversion, checkOf: CheckOf): string {
  const { name, about, isExact } = conversion;
  const content = conversion.content();
  const parameters = way === 'decode' && isExact ? 'value, exact = value' : 'value';
  const lines =
    'scalar' in content
      ? [`return ${call(way, content.scalar, 'value', 'exact')};`]
      : 'choice' in content
        ? choiceLines(way, content.choice, checkOf)
        : [...arrayLines(way, content.parts), ...objectLines(way, content.parts)];
  const comment = `/** ${about.replaceAll('*/', '*\\/').replaceAll(/\s+/g, ' ')} */`;
  return `\n${comment}\nexport function ${way}${name}(${parameters}) {\n${lines.map((line) => `  ${line}\n`).join('')}}\n`;
}

function arrayLines(way: Way, { prefix, items }: Parts): readonly string[] {
  const first = prefix.flatMap((conversion, index) =>
    conversion === undefined
      ? []
      : [`at = ${String(index)};`, `if (at < value.length) result[at] = ${member(way, conversion)};`],
  );
  const loop = `for (at = ${String(prefix.length)}; at < value.length; at += 1)`;
  const rest = items === undefined ? [] : [`${loop} result[at] = ${member(way, items)};`];
  const lines = [...first, ...rest];
  if (lines.length === 0) return [];
  return ['if (Array.isArray(value)) {', ...indented(converted('[...value]', lines)), '}'];
}

function objectLines(way: Way, parts: Parts): readonly string[] {
  const known = parts.properties.flatMap(([name, conversion]) => {
    const value = own('value', name);
    const set = setOwn('result', name, call(way, conversion, value, optional('exact', name)));
    return [`at = ${JSON.stringify(name)};`, `if (${value} !== undefined) ${set}`];
  });
  const lines = [...known, ...otherLines(way, parts)];
  if (lines.length === 0) return ['return value;'];
  const isOther = 'typeof value !== "object" || value === null || Array.isArray(value)';
  // A Date would become an object without properties.
  const refusal = way === 'encode' ? ['if (isScalar(value)) throw new TypeError("must be an object");'] : [];
  return [`if (${isOther}) return value;`, ...refusal, ...converted('{ ...value }', lines)];
}

/** The loop over the properties that no schema lists. */
function otherLines(way: Way, { listed, patterns, additional }: Parts): readonly string[] {
  const cases = [
    ...patterns.map(([pattern, conversion]) => ({
      test: `if (new RegExp(${JSON.stringify(pattern)}, "u").test(at)) `,
      conversion,
    })),
    { test: '', conversion: additional },
  ];
  if (cases.every(({ conversion }) => conversion === undefined)) return [];
  const set = cases.map(({ test, conversion }, index) => {
    const statement = conversion === undefined ? 'continue;' : `result[at] = ${member(way, conversion)};`;
    return `${index === 0 ? '' : 'else '}${test}${statement}`;
  });
  const skip = listed.length === 0 ? [] : [`if (${JSON.stringify(listed)}.includes(at)) continue;`];
  const absent = 'if (value[at] === undefined) continue;';
  return ['for (at of Object.keys(value)) {', ...indented([...skip, absent, ...set]), '}'];
}

function member(way: Way, conversion: Conversion): string {
  return call(way, conversion, 'value[at]', 'exact?.[at]');
}

/** Converts a copy, because a handler may keep what it answers. */
function converted(copy: string, lines: readonly string[]): readonly string[] {
  return [
    `const result = ${copy};`,
    'let at;',
    'try {',
    ...indented(lines),
    '} catch (error) {',
    '  throw within(at, error);',
    '}',
    'return result;',
  ];
}

function choiceLines(way: Way, choice: Choice, checkOf: CheckOf): readonly string[] {
  const returned = (conversion: Conversion | undefined): string =>
    `return ${conversion === undefined ? 'value' : call(way, conversion, 'value', 'exact')};`;
  if ('property' in choice) {
    const cases = choice.branches.flatMap(({ values, conversion }) =>
      conversion === choice.otherwise
        ? []
        : [...values.map((value) => `case ${JSON.stringify(value)}:`), `  ${returned(conversion)}`],
    );
    const last = ['default:', `  ${returned(choice.otherwise)}`];
    return [`switch (${optional('value', choice.property)}) {`, ...indented([...cases, ...last]), '}'];
  }
  if (way === 'encode') {
    // An own type may look like an object, so that scalars are tried first.
    const ordered = choice.members.toSorted(
      (one, other) => rankOf(one.conversion) - rankOf(other.conversion),
    );
    const members = ordered.map(({ place, conversion }) => {
      const encode = conversion === undefined ? 'same' : functionName(way, conversion);
      return `[${encode}, ${checkOf(place, way)}],`;
    });
    return ['return encodeUnion(value, [', ...indented(members), ']);'];
  }
  // A request that is valid, and of none of the other members, is of the last.
  return choice.members.map(({ place, conversion }, index, { length }) => {
    const test = index === length - 1 ? '' : `if (${checkOf(place, way)}(value)) `;
    return `${test}${returned(conversion)}`;
  });
}

/** Scalars, then unions that may have some, then all else. */
function rankOf(conversion: Conversion | undefined): number {
  if (conversion === undefined) return 2;
  if (conversion.kind === 'scalar') return 0;
  return conversion.isUnion ? 1 : 2;
}

function indented(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  ${line}`);
}
