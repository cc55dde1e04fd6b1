/** Compiles what was generated for many documents at once, by the compiler that the repository uses. */

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  removeDirectory,
  temporaryPackage,
  writeResolvers,
  writeStarter,
} from '../codegen/generated-contract.js';
import { complaintsOfMany } from '../codegen/strict-compiler.js';

import { Finding, type Tried } from './tried.js';

type Files = Readonly<Record<string, string>>;

/** Generated files that wait for the compiler, which takes a second for one contract and little more for twenty. */
export class TypeBatch {
  readonly #waiting = new Map<string, Files>();
  #size = 0;

  /** @param name - of the folder that the files get */
  add(name: string, files: Files): void {
    this.#waiting.set(name, files);
    this.#size += Object.values(files).reduce((sum, text) => sum + text.length, 0);
  }

  get isFull(): boolean {
    return this.#waiting.size >= 40 || this.#size > 4_000_000;
  }

  /** Compiles those that wait. @returns the first complaint about each contract that has any, by its name */
  async complaints(): Promise<ReadonlyMap<string, string>> {
    const all = [...this.#waiting];
    this.#waiting.clear();
    this.#size = 0;
    const found = new Map<string, string>();
    if (all.length === 0) return found;
    const home = await temporaryPackage();
    try {
      const starters: string[] = [];
      for (const [name, files] of all) {
        const folder = join(home, name);
        await mkdir(folder);
        for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text);
        const isRest = 'routing.ts' in files;
        await (isRest ? writeStarter(folder) : writeResolvers(folder));
        starters.push(`${name}/${isRest ? 'starter' : 'resolvers'}.ts`);
        for (const file of ['openapi.ts', 'outgoing.ts', 'standard-schemas.ts'])
          if (file in files) starters.push(`${name}/${file}`);
      }
      for (const complaint of complaintsOfMany(home, starters)) {
        const [name = ''] = complaint.split('/');
        if (!found.has(name)) found.set(name, complaint.slice(name.length + 1));
      }
      return found;
    } finally {
      await removeDirectory(home);
    }
  }
}

/** Compiles what was generated for one document. */
export async function checkTypes({ files }: Tried): Promise<void> {
  const batch = new TypeBatch();
  if (files !== undefined) batch.add('one', files);
  const complaint = (await batch.complaints()).get('one');
  if (complaint !== undefined) throw new Finding(`the types do not compile: ${complaint}`);
}
