/** The entry point `@concordat/tools`: the commands that the program `concordat` loads when one of them runs. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Terminal } from '@concordat/runtime/terminal';
import { bridgeCommand } from './cli/bridge.js';
import { coverageCommand } from './cli/coverage.js';
import { diffCommand, needlessSinceBase } from './cli/diff.js';
import { mockCommand } from './cli/mock.js';
import { proxyCommand, recordCommand } from './cli/proxy.js';
import { verifyCommand } from './cli/verify.js';

/**
 * The commands `diff`, `bridge`, `mock`, `verify`, `record`, `proxy` and `coverage`, in the order in which the help lists them.
 *
 * @param terminal - the terminal of a program of the same version; its type is not published
 */
export function toolCommands(terminal: unknown): readonly object[] {
  return [
    diffCommand,
    bridgeCommand,
    mockCommand,
    verifyCommand,
    recordCommand,
    proxyCommand,
    coverageCommand,
  ].map((command) => command(terminal as Terminal));
}

/** For `concordat docs --serve`: answers as `concordat mock --state` does, to pages of its own origin alone. */
export async function mockListener(
  contracts: { readonly openapi?: string; readonly schema?: string | readonly string[] },
  options: { readonly allowOrigin?: readonly string[] },
): Promise<(request: IncomingMessage, response: ServerResponse) => void> {
  const { listenerOf } = await import('./cli/mock-listener.js');
  const state = contracts.openapi !== undefined;
  const own = { host: '127.0.0.1', cors: false, admin: false, state };
  const { listener } = await listenerOf(contracts, { ...options, ...own }, undefined);
  return listener;
}

/** For `concordat check`: a sentence for each accepted break that is none since the base of its API, by API. */
export async function needlessAcceptances(apis: readonly object[]): Promise<readonly (readonly string[])[]> {
  // An `export from` would show the types of commander.
  return await needlessSinceBase(apis);
}
