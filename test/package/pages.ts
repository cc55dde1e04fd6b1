/** The pages for users, which are the READMEs and the guides of the packages, and their blocks of code. */

import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../architecture/source-tree.js';
import { packages } from './packages.js';

export interface Block {
  /** The page, from the root of the repository: `src/core/guides/stores.md`. */
  readonly page: string;
  /** The nearest heading above it, without its marks. */
  readonly heading: string;
  /** The language of its fence: `sh`; the ending of an example. */
  readonly language: string;
  /** Its text, without its fences. */
  readonly text: string;
}

/** The README of the repository, and the README and the guides of each package, with their texts. */
export const pages: ReadonlyMap<string, string> = new Map(
  [
    'README.md',
    ...packages.flatMap(({ folder }) => [`${folder}/README.md`, ...guidesIn(`${folder}/guides`)]),
  ].map((file) => [file, readFileSync(ROOT + file, 'utf8')]),
);

/** Every block of code, and every file in `examples/` that a page leads to, in the order of the pages. */
export const blocks: readonly Block[] = [...pages].flatMap(([page, text]) => blocksOf(page, text));

function guidesIn(folder: string): readonly string[] {
  if (!existsSync(ROOT + folder)) return [];
  const names = readdirSync(ROOT + folder).filter((name) => name.endsWith('.md'));
  return names.sort().map((name) => `${folder}/${name}`);
}

/** The blocks of code of a page, and its examples. */
function blocksOf(page: string, markdown: string): readonly Block[] {
  let heading = '';
  const parts = /^#+ (.+)$|^```(\w*)\n([^]*?)^```$|\]\((examples\/[\w.-]+\.(\w+))\)/gm;
  return [...markdown.matchAll(parts)].flatMap(
    ([, title, language = '', code = '', example, ending = '']) => {
      heading = title ?? heading;
      if (title !== undefined) return [];
      if (example === undefined) return [{ page, heading, language, text: code }];
      return [
        { page, heading, language: ending, text: readFileSync(join(ROOT, dirname(page), example), 'utf8') },
      ];
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

/** A page without its blocks of code. */
export function proseOf(text: string): string {
  return text.replaceAll(/^```[^]*?^```$/gm, '');
}

/** The anchors of the headings of a page. */
export function anchorsOf(text: string): readonly string[] {
  return [...proseOf(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));
}

/** The anchor that GitHub makes of a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-');
}
