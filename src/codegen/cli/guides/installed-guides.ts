/** Finds the guides of the installed packages, as the `llms.txt` of each package lists them. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const PACKAGES = [
  '@concordat/runtime',
  'concordat',
  '@concordat/tools',
  '@concordat/core',
  '@concordat/service',
];

export interface Guide {
  /** The name of its package. */
  readonly owner: string;
  /** The name of its file without the ending; only `index` is in several packages. */
  readonly name: string;
  readonly title: string;
  /** A few words, without a full stop. */
  readonly use: string;
  readonly file: string;
}

/** The guides of the packages that code in a directory can import, or else of those that are installed beside this one. */
export function installedGuides(directory: string): readonly Guide[] {
  const places = [join(directory, 'package.json'), import.meta.filename];
  return PACKAGES.flatMap((owner) => {
    const folder = places.map((place) => folderOf(owner, place)).find((found) => found !== undefined);
    return folder === undefined ? [] : guidesOf(owner, folder);
  });
}

function folderOf(name: string, importer: string): string | undefined {
  try {
    return dirname(createRequire(importer).resolve(`${name}/package.json`));
  } catch {
    return undefined;
  }
}

function guidesOf(owner: string, folder: string): readonly Guide[] {
  const list = readFileSync(join(folder, 'llms.txt'), 'utf8');
  return [...list.matchAll(/^- \[(.+?)\]\(guides\/([\w-]+)\.md\): (.+)$/gm)].map(
    ([, title = '', name = '', use = '']) => ({
      ...{ owner, name, title, use },
      file: join(folder, 'guides', `${name}.md`),
    }),
  );
}

/** The text of a guide, without the comments that mark its generated tables. */
export function textOf({ file }: Guide): string {
  return readFileSync(file, 'utf8').replaceAll(/^<!-- .* -->\n\n?/gm, '');
}
