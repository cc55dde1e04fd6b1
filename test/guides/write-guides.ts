/**
 * Writes the generated parts of the guides: the tables between `<!-- table NAME -->` and `<!-- end -->`, and the `llms.txt` of each
 * package. With `--check` it writes nothing, and fails if one is not up to date.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { ROOT } from '../architecture/source-tree.js';
import { packages } from '../package/packages.js';
import { pages } from '../package/pages.js';
import { type Table, tables } from './tables.js';

const isCheck = process.argv.includes('--check');
const stale: string[] = [];
const unused = new Set(Object.keys(tables));

for (const [page, text] of pages) {
  const written = text.replaceAll(
    /^(<!-- table ([\w-]+) -->\n)[^]*?^(<!-- end -->)$/gm,
    (_, start: string, name: string, end: string) => `${start}\n${tableText(page, name)}\n${end}`,
  );
  if (written !== text) await update(page, written);
}
for (const { folder, manifest } of packages) {
  const readme = pages.get(`${folder}/README.md`) ?? '';
  const [, summary = ''] = /^# .+\n\n([^]+?)\n\n/.exec(readme) ?? [];
  const [list = ''] = /^- \[.+\]\(guides\/[^]*?(?=\n\n|\n$)/m.exec(readme) ?? [];
  const quoted = summary.replaceAll('\n', ' ');
  await update(`${folder}/llms.txt`, `# ${manifest.name}\n\n> ${quoted}\n\n## Guides\n\n${list}\n`);
}
if (unused.size > 0) throw new Error(`no page has the table ${[...unused].join(', ')}`);
if (stale.length > 0) {
  console.error(`${stale.join(', ')}: not up to date. Run npm run guides.`);
  process.exitCode = 1;
}

function tableText(page: string, name: string): string {
  unused.delete(name);
  const table: Table | undefined = tables[name];
  if (table === undefined) throw new Error(`${page}: there is no table ${name} in test/guides/tables.ts`);
  return `${table()}\n`;
}

async function update(file: string, text: string): Promise<void> {
  const options = await resolveConfig(ROOT + file);
  const wanted = file.endsWith('.md') ? await format(text, { ...options, parser: 'markdown' }) : text;
  if (textOf(file) === wanted) return;
  if (isCheck) stale.push(file);
  else writeFileSync(ROOT + file, wanted);
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(ROOT + file, 'utf8');
  } catch {
    return undefined;
  }
}
