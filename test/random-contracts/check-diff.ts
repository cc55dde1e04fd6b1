/** `diff`: nothing between a document and itself, and one mutation and no other, in both directions. `bridge` of both compiles. */

import { writeFile } from 'node:fs/promises';
import { diffFiles } from '../../src/tools/diff/diff-files.js';
import { MUTATIONS, mutatedCopy } from './mutations.js';
import { SDL_MUTATIONS, mutatedSdl } from './sdl-mutations.js';
import { Finding, type Tried, inFolder } from './tried.js';

/** The kinds of changes of keywords whose schemas are compared as a whole. */
const WHOLE = /^(?:not|if|then|else|dependentSchemas|propertyNames|contains|unevaluated\w+)-changed$/;

/** The mutations of a document that are tried. */
const MUTANTS = 3;

export async function checkDiff(tried: Tried): Promise<void> {
  const { contract, document, file, plain, random } = tried;
  for (const files of [[file, file] as const, [plain, file] as const, [file, plain] as const]) {
    const [same] = await diffFiles(files);
    if (same === undefined || same.changes.length > 0)
      throw new Finding(`a document differs from itself: ${same?.changes[0]?.message ?? ''}`);
  }
  // Of equal paths, one is not served, and its changes are none.
  if (tried.accept?.includes('same-path') === true) return;
  for (let count = 0; count < MUTANTS; count += 1) {
    const isSdl = typeof contract === 'string';
    const { name = '', copy = '' } =
      (isSdl ? mutatedSdl(contract, random) : mutatedCopy(document, random)) ?? {};
    const mutation = isSdl ? SDL_MUTATIONS[name] : MUTATIONS[name];
    if (mutation === undefined) return;
    const other = inFolder(tried, `mutant-${String(count)}.${isSdl ? 'graphql' : 'json'}`);
    await writeFile(other, typeof copy === 'string' ? copy : JSON.stringify(copy));
    for (const [index, files] of [[file, other] as const, [other, file] as const].entries()) {
      const direction = `${name}${index === 0 ? '' : ', taken back'}`;
      const [found] = await diffFiles(files);
      const changes = found?.changes ?? [];
      const allowed = mutation.kinds.map((kinds) => kinds[index]);
      const extra = changes.find(
        ({ kind }) => !allowed.includes(kind) && !(mutation.mayBeIdle === true && WHOLE.test(kind)),
      );
      if (extra !== undefined)
        throw new Finding(`diff finds another change than ${direction}: ${extra.kind}: ${extra.message}`);
      if (changes.length === 0 && allowed.length > 0 && mutation.mayBeIdle !== true)
        throw new Finding(`diff does not find ${direction}`);
      const wrong = changes.find(({ client }) => mutation.client[index]?.includes(client.severity) !== true);
      if (wrong !== undefined)
        throw new Finding(
          `diff calls ${direction} ${wrong.client.severity} for clients: ${wrong.message}: ${wrong.client.reason ?? ''}`,
        );
    }
  }
}
