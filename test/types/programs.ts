/** Programs against generated signatures: one that compiles, and variants of it that must not. */

import { expect } from 'chai';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { complaints } from '../codegen/strict-compiler.js';

const HERE = fileURLToPath(new URL('./', import.meta.url));

/** A variant of a program that must not compile. */
export interface Refusal {
  readonly what: string;
  /** From a piece of the program to its replacement. */
  readonly change: readonly [piece: string, replacement: string];
  /** What the compiler says, in part. */
  readonly says: RegExp;
}

/** Makes a test of the program, which must compile, and one of each of its variants, which must not. */
export function testPrograms(title: string, program: string, refusals: readonly Refusal[]): void {
  describe(title, function () {
    // One program for all cases: the compiler reads the libraries once.
    this.timeout(60_000);
    let said: ReadonlyMap<string, string>;

    before(async () => {
      const directory = await mkdtemp(join(HERE, 'tmp-'));
      try {
        const sources = [
          program,
          ...refusals.map(({ change: [piece, replacement] }) => changed(program, piece, replacement)),
        ];
        const files = sources.map((_, index) => `case-${String(index)}.ts`);
        await Promise.all(
          sources.map((source, index) => writeFile(join(directory, files[index] ?? ''), source)),
        );
        const all = complaints(directory, files);
        const of = (file: string): string => all.filter((line) => line.startsWith(`${file}:`)).join('\n');
        expect(all.filter((line) => !files.some((file) => line.startsWith(`${file}:`)))).to.deep.equal([]);
        said = new Map(files.map((file) => [file, of(file)]));
      } finally {
        await rm(directory, { recursive: true });
      }
    });

    it('let a right program compile', () => {
      expect(said.get('case-0.ts')).to.equal('');
    });

    for (const [index, { what, says }] of refusals.entries()) {
      it(`refuse ${what}`, () => {
        expect(said.get(`case-${String(index + 1)}.ts`)).to.match(says);
      });
    }
  });
}

function changed(program: string, piece: string, replacement: string): string {
  if (!program.includes(piece)) throw new Error(`the program has no ${piece}`);
  return program.replace(piece, () => replacement);
}
