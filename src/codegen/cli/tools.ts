/** The package `@concordat/tools`, which depends on this one and is loaded if it is installed. */

import type { Command } from 'commander';
import type { NodeListener } from '@concordat/runtime/node';
import { type CommandFailure, type Terminal, usageFailure } from '@concordat/runtime/terminal';
import type { Contracts } from './shared-options.js';

const TOOL_COMMANDS = ['diff', 'bridge', 'mock', 'verify', 'record', 'proxy', 'coverage'];

/** Its types are not known here. */
const PACKAGE: string = '@concordat/tools';

interface Tools {
  readonly toolCommands: (terminal: Terminal) => readonly Command[];
  /** @returns for each API a sentence for each accepted break that the comparison with its base does not find */
  readonly needlessAcceptances: (apis: readonly object[]) => Promise<readonly (readonly string[])[]>;
  /** Answers as `concordat mock --state`. */
  readonly mockListener: (
    contracts: Contracts,
    options: { readonly allowOrigin?: readonly string[] },
  ) => Promise<NodeListener>;
}

/** Adds the commands of the package; if it is not installed, commands that ask for it in their place. */
export async function addTools(root: Command, terminal: Terminal): Promise<void> {
  const tools = await loadTools();
  if (tools !== undefined) {
    for (const command of tools.toolCommands(terminal)) root.addCommand(command);
    return;
  }
  for (const command of TOOL_COMMANDS) {
    root
      .command(command)
      .summary(`needs the package ${PACKAGE}`)
      .allowUnknownOption()
      .allowExcessArguments()
      .action(() => {
        throw withoutTools(`concordat ${command}`);
      });
  }
}

/** @throws CommandFailure if the package is not installed */
export async function needlessAcceptances(apis: readonly object[]): ReturnType<Tools['needlessAcceptances']> {
  const tools = await loadTools();
  if (tools === undefined) throw withoutTools('The comparison with the base of diff');
  return tools.needlessAcceptances(apis);
}

export async function loadTools(): Promise<Tools | undefined> {
  return await (import(PACKAGE) as Promise<Tools>).catch((error: unknown) => {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ERR_MODULE_NOT_FOUND' && message.includes(`'${PACKAGE}'`)) return undefined;
    throw error;
  });
}

/** The failure of a command that needs the package. */
export function withoutTools(subject: string): CommandFailure {
  return usageFailure(`${subject} needs the package ${PACKAGE}: npm install --save-dev ${PACKAGE}`);
}
