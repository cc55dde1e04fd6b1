/** Makes the table of tools of a document, as the generator does. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ToolTable } from '@concordat/runtime';
import { loadContract, readLoaded, toolTable } from '../../src/codegen/contract.js';

/** @param document - a document, or its file */
export async function toolTableOf(document: object | string): Promise<ToolTable> {
  if (typeof document === 'string')
    return toolTable(await readLoaded(document, await loadContract(document)));
  const directory = await mkdtemp(join(tmpdir(), 'concordat-tools-'));
  try {
    const file = join(directory, 'openapi.json');
    await writeFile(file, JSON.stringify(document));
    return await toolTableOf(file);
  } finally {
    await rm(directory, { recursive: true });
  }
}
