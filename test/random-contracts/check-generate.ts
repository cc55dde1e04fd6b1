/** `generate`: the same bytes twice, or refusals that have a name and a place. */

import { ContractError } from 'concordat';
import { generateFrom } from '../../src/codegen/generator/generate.js';
import { Finding, type Tried, requireNamed } from './tried.js';

type Files = Readonly<Record<string, string>>;

/** So often another feature may come to light when those that were found are accepted. */
const MOST_ROUNDS = 4;

/** @returns the generated files; undefined where the document has a fault that cannot be accepted */
export async function checkGenerate(tried: Tried): Promise<Files | undefined> {
  let accept: readonly string[] = [];
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const contract = { [typeof tried.contract === 'string' ? 'schema' : 'openapi']: tried.file };
    const options = { ...contract, accept, clientTypes: true, standardSchemas: true };
    try {
      const { files } = await generateFrom(options);
      const again = await generateFrom(options);
      const names = Object.keys({ ...files, ...again.files });
      const different = names.filter((name) => files[name] !== again.files[name]);
      if (different.length > 0) throw new Finding(`another run has other bytes in ${different.join()}`);
      tried.accept = accept;
      return files;
    } catch (error) {
      if (!requireNamed(error) || !(error instanceof ContractError)) throw error;
      if (error.problems.some(({ fault }) => fault !== undefined)) return undefined;
      accept = [...new Set([...accept, ...error.problems.flatMap(({ feature }) => feature ?? [])])];
    }
  }
  throw new Finding('generate asks for ever more features');
}
