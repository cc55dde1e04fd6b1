/** The folder of a project: writes missing files, and adds missing lines to lists of parts. */

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, posix, relative, sep } from 'node:path';
import { PartList } from './part-list.js';
import type { PartFolder } from './part.js';
import { type Template, filled } from './template.js';

export class Project {
  /** The files that are new or have gained lines. */
  readonly written: string[] = [];
  /** Differences that the user has to resolve, one sentence each. */
  readonly notes: string[] = [];

  /** @param out - the directory of the generated files */
  constructor(private readonly out: string) {}

  /**
   * Writes a file unless it exists.
   *
   * @param template - the template of the same name unless given
   * @returns the text of the file
   */
  async create(file: string, template: Template = { file }): Promise<string> {
    const existing = await this.read(file);
    if (existing !== undefined) return existing;
    const text = this.#filled(file, template);
    await this.replace(file, text);
    return text;
  }

  async replace(file: string, text: string): Promise<void> {
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

  /** Adds missing parts to a list, each with a file, and notes the parts that the contract does not have any more. */
  async addParts(folder: PartFolder): Promise<void> {
    const { path, what, parts } = folder;
    const file = `${path}.ts`;
    const variable = posix.basename(path);
    const existing = await this.read(file);
    const text = existing ?? this.#filled(file, { file });
    const list = PartList.read(text, variable);
    if (list === undefined) {
      this.notes.push(`${file} has no "const ${variable} = { … }": nothing was added to it`);
      return;
    }
    const missing = parts.filter((part) => !list.has(part.path));
    const added = missing.filter((part) => !list.isHidden(part.path));
    for (const part of missing.filter((each) => !added.includes(each))) {
      this.notes.push(`${file} does not name the ${what} ${part.path.join('.')}, which its spread may hold`);
    }
    for (const part of added) await this.create(`${path}/${part.file}.ts`, part.template);
    if (existing === undefined || added.length > 0) {
      await this.replace(file, list.with(added, `./${variable}`));
    }
    const known = new Set(parts.map((part) => part.path.join('.')));
    const removed = list
      .paths()
      .map((each) => each.join('.'))
      .filter((each) => !known.has(each));
    for (const each of removed) {
      this.notes.push(`${file} has the ${what} ${each}, which the contract does not have any more`);
    }
  }

  /** Fills in a template; `__GENERATED__` is the path from the file to the directory of the generated files. */
  #filled(file: string, { file: template, values }: Template): string {
    const generated = relative(dirname(file), this.out).split(sep).join('/');
    return filled({ file: template, values: { ...values, GENERATED: generated } });
  }
}
