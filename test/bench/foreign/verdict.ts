/** What becomes of a contract as others write it: whether files are generated from it as it is, with which names accepted, or why not. */

import { ContractError, generate } from 'concordat';

/** What becomes of a document. */
export interface ForeignVerdict {
  readonly verdict: 'as it is' | 'accepted' | 'refused';
  /** The names of the accepted features, or the first sentence of a refusal. */
  readonly why: string;
}

/** Generates from a file, and accepts the features that stop it. */
export async function fileVerdict(file: string): Promise<ForeignVerdict> {
  const stopped = (accept: readonly string[]): Promise<ContractError | undefined> =>
    generate({ accept, ...(/\.graphql$/.test(file) ? { schema: file } : { openapi: file }) }).then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof ContractError) return error;
        throw error;
      },
    );
  const first = await stopped([]);
  if (first === undefined) return { verdict: 'as it is', why: '' };
  const names = [...new Set(first.problems.flatMap(({ feature }) => feature ?? []))];
  const second = first.problems.some(({ fault }) => fault !== undefined) ? first : await stopped(names);
  if (second === undefined) return { verdict: 'accepted', why: names.join(', ') };
  const [problem] = second.problems;
  return { verdict: 'refused', why: `${problem?.fault ?? ''}: ${problem?.message ?? ''}` };
}
