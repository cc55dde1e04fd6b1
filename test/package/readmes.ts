/** The READMEs of the repository and their blocks of code, each with the heading that it is below. */

import { existsSync, readFileSync } from 'node:fs';
import { ROOT } from '../architecture/source-tree.js';
import { packages } from './packages.js';

export interface Block {
  /** The README, from the root of the repository: `src/core/README.md`. */
  readonly readme: string;
  /** The nearest heading above it, without its marks. */
  readonly heading: string;
  /** The language of its fence: `sh`. */
  readonly language: string;
  /** Its text, without its fences. */
  readonly text: string;
}

/** The README of the repository and those of its packages, as far as they are written, with their texts. */
export const readmes: ReadonlyMap<string, string> = new Map(
  ['README.md', ...packages.map(({ folder }) => `${folder}/README.md`)]
    .filter((file) => existsSync(ROOT + file))
    .map((file) => [file, readFileSync(ROOT + file, 'utf8')]),
);

/** Every block of code, in the order of the READMEs. */
export const blocks: readonly Block[] = [...readmes].flatMap(([readme, text]) => blocksOf(readme, text));

/** The blocks of code of a README. */
export function blocksOf(readme: string, markdown: string): readonly Block[] {
  let heading = '';
  return [...markdown.matchAll(/^#+ (.+)$|^```(\w*)\n([^]*?)^```$/gm)].flatMap(
    ([, title, language = '', text = '']) => {
      heading = title ?? heading;
      return title === undefined ? [{ readme, heading, language, text }] : [];
    },
  );
}

/** The commands of a shell block that install packages, each in one line; none where it has no `npm install`. */
export function installCommands({ language, text }: Block): readonly string[] {
  if (!/^(?:sh|bash)$/.test(language)) return [];
  const lines = text.replaceAll(/ *\\\n */g, ' ').split('\n');
  return lines.some((line) => line.startsWith('npm install '))
    ? lines.filter((line) => /^npm (?:install|pkg set) /.test(line))
    : [];
}
