/** The folder of a project: writes missing files, from templates. */

import { readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { requireFile } from '../generator/generated-files.js';
import { WIDTH, identifier, shortComment, singleQuoted } from '../text/code.js';
import { Verbatim } from '../text/literal.js';
import { slashed } from './package-sources.js';

/**
 * The values of a template's placeholders, by name. `__NAME__` is replaced by the value; a line with a list is written once per item. A
 * line that ends with `// with NAME` is written only if the value is given, and is neither false nor an empty list; a line that ends with
 * `// without NAME`, only otherwise.
 */
export type TemplateValues = Readonly<Record<string, string | boolean | readonly string[] | Verbatim>>;

export interface Template {
  /** Its path in `init/templates/`. */
  readonly file: string;
  readonly values?: TemplateValues;
}

export class Project {
  /** The files that are new or have gained lines. */
  readonly written: string[] = [];
  /** Differences that the user has to resolve, one sentence each. */
  readonly notes: string[] = [];

  /**
   * @param out - the directory of the generated files
   * @param shared - the values of all templates
   */
  constructor(
    private readonly out: string,
    private readonly shared: TemplateValues = {},
  ) {}

  /**
   * Writes a file unless it exists.
   *
   * @param template - the template of the same name unless given
   * @returns the text of the file
   */
  async create(file: string, template: Template = { file }): Promise<string> {
    const existing = await this.read(file);
    if (existing !== undefined) return existing;
    const text = this.textOf(file, template);
    await this.replace(file, text);
    return text;
  }

  async replace(file: string, text: string): Promise<void> {
    await requireFile(file);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    this.written.push(file);
  }

  /** @returns undefined if there is no such file */
  async read(file: string): Promise<string | undefined> {
    return await readFile(file, 'utf8').catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
      throw error;
    });
  }

  /** The text of a new file; `__GENERATED__` in its template is the path from the file to the directory of the generated files. */
  textOf(file: string, { file: template, values }: Template = { file }): string {
    const GENERATED = slashed(relative(dirname(file), this.out));
    return filled({ file: template, values: { ...this.shared, ...values, GENERATED } });
  }
}

const TEMPLATES = new URL(
  'init/templates/',
  pathToFileURL(createRequire(import.meta.url).resolve('concordat/package.json')),
);

/** @throws when the template has a placeholder without a value */
export function filled({ file, values = {} }: Template): string {
  const lines = readFileSync(new URL(file, TEMPLATES), 'utf8').split('\n');
  return broken(lines.flatMap((line) => linesOf(line, values)).join('\n'));
}

/** Breaks the lines that long names have made too long, as Prettier does. */
function broken(text: string): string {
  return text
    .replaceAll(
      /^(export const .+ =) (\(\) => \{\n)(.*\n)(\};)$/gm,
      (stub: string, start: string, ...others: string[]) => {
        const [arrow = '', body = '', end = ''] = others;
        return stub.indexOf('\n') <= WIDTH ? stub : `${start}\n  ${arrow}  ${body}  ${end}`;
      },
    )
    .replaceAll(/^(type \w+ =) (.+;)$/gm, (line, start: string, end: string) =>
      line.length <= WIDTH ? line : `${start}\n  ${end}`,
    )
    .replaceAll(
      /^( *)throw new Problem\((\d+), (.+)\);$/gm,
      (line, indent: string, status: string, detail: string) =>
        line.length <= WIDTH
          ? line
          : `${indent}throw new Problem(\n${indent}  ${status},\n${indent}  ${detail},\n${indent});`,
    );
}

function linesOf(line: string, values: TemplateValues): readonly string[] {
  const [, code = line, word, condition = ''] = /^(.*) \/\/ (with|without) ([A-Z]+)$/.exec(line) ?? [];
  const given = values[condition] ?? false;
  const isGiven = Array.isArray(given) ? given.length > 0 : given !== false;
  if (word !== undefined && isGiven !== (word === 'with')) return [];
  for (const [name, value] of Object.entries(values)) {
    if (!Array.isArray(value) || !code.includes(`__${name}__`)) continue;
    return (value as readonly string[]).map((item) => filledLine(code, { ...values, [name]: item }));
  }
  return [filledLine(code, values)];
}

/** A comment, a string, or a placeholder for a name; each needs its own escaping of the contract's text. */
const POSITIONS = /(?<comment>\/\*\*.*\*\/)|(?<string>'(?:[^'\\]|\\.)*')|__(?<name>[A-Z]+)__/g;

const PLACEHOLDER = /__([A-Z]+)__/g;

function filledLine(line: string, values: TemplateValues): string {
  return line.replaceAll(POSITIONS, (text, comment?: string, string?: string, name?: string) => {
    if (name !== undefined) return nameOf(values[name], text);
    return (comment ?? string ?? text).replaceAll(PLACEHOLDER, (placeholder, each: string) => {
      const value = values[each];
      if (typeof value !== 'string') throw new Error(`${placeholder} has no text`);
      return comment === undefined
        ? singleQuoted(value).slice(1, -1)
        : shortComment(value).slice('/** '.length, -' */'.length);
    });
  });
}

function nameOf(value: TemplateValues[string] | undefined, placeholder: string): string {
  if (value instanceof Verbatim) return value.code;
  if (typeof value === 'string') return identifier(value);
  throw new Error(`${placeholder} has no name`);
}
