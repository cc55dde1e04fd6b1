/** Opens the application's own REST contract: generated, or an overlay that is compiled at the start. */

import { createOperations, serviceEngine } from '@concordat/core';
import type { ResponseChecks, ToolTable } from '@concordat/runtime';
import type { Settings } from '../settings/settings.js';
import type { OwnRest } from './contract-endpoints.js';

/** The package that reads contracts, which most services do without. @param file - the contract, for the error */
async function reader(file: string) {
  return await import('concordat/contract').catch((cause: unknown) => {
    throw new Error(`${file} is compiled by concordat: npm install concordat`, { cause });
  });
}

/** The tools of a contract that are not generated. @param file - its path or web address */
export async function toolsOf(file: string): Promise<ToolTable> {
  const { loadContract, readLoaded, toolTable } = await reader(file);
  return toolTable(await readLoaded(file, await loadContract(file)));
}

/**
 * Compiles a contract that is not generated.
 *
 * @param file - its path: of an overlay that extends the core's document, or of a whole one
 * @throws an error with each fault and its place; with the first part that the compiler would leave unchecked
 */
export async function compileRest(
  file: string,
): Promise<OwnRest & { readonly checkResponses: ResponseChecks }> {
  const { loadContract, readLoaded, runnable, toolTable } = await reader(file);
  const loaded = await loadContract(file);
  const { model, compile, requireSupported } = await readLoaded(file, loaded);
  const modules = compile(model);
  requireSupported();
  const { contract, responseChecks } = await runnable(modules);
  return {
    contract,
    document: loaded.written as unknown as OwnRest['document'],
    tools: toolTable({ loaded, model }),
    checkResponses: responseChecks,
  };
}

/** Makes the engine of a contract. Without an engine of its own, the handlers of the core serve it. */
export function engineOf(own: OwnRest | undefined): NonNullable<OwnRest['engine']> {
  if (own === undefined) return serviceEngine;
  const { contract } = own;
  return (
    own.engine ??
    ((parts) =>
      serviceEngine({ ...parts, contract, operations: { ...createOperations(parts.services, parts) } }))
  );
}

/** The checks of responses, which are loaded only if the settings enable them. */
export async function responseChecks(
  rest: OwnRest | undefined,
  { checkResponses }: Pick<Settings, 'checkResponses'>,
  own: ResponseChecks | undefined,
): Promise<ResponseChecks | undefined> {
  if (!checkResponses) return undefined;
  if (own !== undefined) return own;
  if (rest !== undefined)
    throw new Error('CHECK_RESPONSES needs the option checkResponses for an own contract');
  return await import('@concordat/core/response-validators');
}
