/** What axe, a checker of accessibility, finds on a page. */

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** What axe finds, all its rules included. */
export async function findings(page: Page): Promise<readonly string[]> {
  const { violations } = await page.evaluate<{ readonly violations: readonly Finding[] }>(
    `${axe}; axe.run({ resultTypes: ['violations'] })`,
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
}
