/**
 * Source text of generated modules. A text of a contract becomes source text only through the function for its position:
 * a comment, a string, a name of a property, an identifier or a regular expression.
 */

import { RESERVED_WORDS } from './identifiers.js';

/** The longest line of generated code and of new projects, if a line can be broken. */
export const WIDTH = 110;

declare const brand: unique symbol;

/** Source text. A plain string does not have this type, so that a template cannot forget to escape a text. */
export type Code = string & { readonly [brand]: 'Code' };

/** A template of source text around other source text. A plain string in a placeholder does not compile. */
export function code(texts: TemplateStringsArray, ...parts: readonly (Code | number)[]): Code {
  // A large contract has millions of templates, and `String.raw` takes several times as long.
  let text = texts[0] ?? '';
  for (const [index, part] of parts.entries()) text += String(part) + (texts[index + 1] ?? '');
  return text as Code;
}

/** Like {@link code}, but keeps backslashes: for functions with regular expressions. */
export function rawCode(texts: TemplateStringsArray, ...parts: readonly Code[]): Code {
  return String.raw(texts, ...parts) as Code;
}

export const NOTHING = code``;

/** For {@link rawCode}, in which it cannot be escaped. */
export const BACKTICK = code`\``;

export function joined(parts: Iterable<Code>, separator = NOTHING): Code {
  return [...parts].join(separator) as Code;
}

/** The parts of a text between separators. */
export function split(text: Code, separator: RegExp): readonly Code[] {
  return text.trim().split(separator) as Code[];
}

/** Indents the lines of a text after the first. */
export function indented(text: Code, spaces: number): Code {
  return text.replaceAll('\n', `\n${' '.repeat(spaces)}`) as Code;
}

export function spaces(count: number): Code {
  return ' '.repeat(count) as Code;
}

/** A doc comment with one line per line of the text. */
export function docComment(text: string, indent = 0): Code {
  const lines = text.trim().replaceAll('*/', '*\\/').split('\n');
  if (lines.length === 1) return `/** ${lines[0] ?? ''} */` as Code;
  const margin = ' '.repeat(indent);
  return `/**\n${lines.map((line) => `${margin} * ${line}`.trimEnd()).join('\n')}\n${margin} */` as Code;
}

/** A doc comment in one line. */
export function shortComment(text: string): Code {
  return docComment(oneLine(text));
}

/** A line comment. */
export function lineComment(text: string): Code {
  return `// ${oneLine(text)}` as Code;
}

function oneLine(text: string): string {
  // U+2028 and U+2029, which end lines too (ECMA-262 §12.3), are white space here.
  return text.replaceAll(/\s+/g, ' ');
}

export function stringLiteral(text: string): Code {
  return JSON.stringify(text) as Code;
}

/** A string literal in single quotes. */
export function singleQuoted(text: string): Code {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'` as Code;
}

/** A template without placeholders, which shows the lines of a text. */
export function templateLiteral(text: string): Code {
  return `\`${text.replaceAll(/[\\`]|\$\{/g, '\\$&')}\`` as Code;
}

/** Texts as words of a POSIX shell, each in quotes where the shell would read it otherwise. */
export function shellWords(...texts: readonly string[]): Code {
  return texts
    .map((text) => (/^[\w:/.=%+,@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`))
    .join(' ') as Code;
}

/** The literal of a value without members. */
export function scalarLiteral(value: unknown): Code {
  return JSON.stringify(value) as Code;
}

/** A regular expression literal. `source` escapes the characters that would end it. */
export function regExp(expression: RegExp): Code {
  return String(expression) as Code;
}

/**
 * A name in a scope.
 *
 * @throws when no variable, function or type may have this name
 */
export function identifier(name: string): Code {
  if (!/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) || RESERVED_WORDS.includes(name))
    throw new Error(`${JSON.stringify(name)} is no identifier`);
  return name as Code;
}

/** The name of a property in a literal or a type, quoted only if necessary. */
export function propertyName(name: string): Code {
  // `__proto__: x` in a literal sets the prototype; a computed key makes a property.
  if (name === '__proto__') return code`["__proto__"]`;
  return /^(?:[A-Za-z_$][\w$]*|0|[1-9]\d*)$/.test(name) ? (name as Code) : stringLiteral(name);
}

/** An operationId as a property name: quoted if it begins with a digit, so that `keyof` gives a string. */
export function operationKey(id: string): Code {
  return /^\d/.test(id) ? stringLiteral(id) : propertyName(id);
}

/** The text after an object that accesses its property: `.name`, or `["any text"]`. */
export function accessor(name: string): Code {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? (`.${name}` as Code) : code`[${stringLiteral(name)}]`;
}

/** A rule that every file breaks, so that ESLint never calls the directive before it unused. */
const ALWAYS_BROKEN = code`/* eslint unicode-bom: [1, "always"] -- keeps the directive in use */`;

/** By which a generated file is known. */
export const BANNER = 'Generated by concordat';

/** The first line of every generated file, which linters honour. @param source - the contract, in a few words */
export function openingLine(source: string): Code {
  const text = `${BANNER} from ${source}. Do not edit: change the contract and generate again.`;
  return code`/* eslint-disable */ ${ALWAYS_BROKEN} ${lineComment(text)}\n`;
}

/** A file whose imports of values from its neighbours end in `.ts`. */
export function withTypeScriptImports(text: Code): Code {
  return text.replaceAll(/^(import (?:\* as \w+|\{ \w+ \}) from "\.\/[a-z-]+)\.js";$/gm, '$1.ts";') as Code;
}
