/** Runs the work of a command on the store that the environment names, and makes the commands whose results are lines. */

import {
  type Caller,
  type PasswordHasher,
  type Services,
  type SqlStorage,
  type Storage,
  auditEntryOf,
  operator,
  systemClock,
} from '@concordat/core';
import { Command } from 'commander';
import { type Terminal, CommandFailure, examples, print, printJson } from '@concordat/runtime/terminal';
import type { OpenedStorage, StorageObserver } from '../../open/adapters.js';
import type { OwnRest } from '../../open/contract-endpoints.js';
import { type DatabaseSettings, databaseSettings } from '../../settings/data.js';
import {
  type Setting,
  givenSettings,
  readValues,
  slipWarnings,
  variableNames,
} from '../../settings/setting.js';

/** How to name the store, and examples of the command. */
export function storeHelp(...commands: readonly string[]): string {
  return `
DATABASE_URL names the store, as for the service: sqlite:<path> or postgres://…
(default: sqlite:./data/service.db).
${examples(...commands)}`;
}

/** Prints a line for people, or with `--json` the object in its place. */
export type Show = (text: string, json: object) => void;

const ARGUMENTS: Readonly<Record<string, string>> = {
  '<user>': 'an id or an email',
  '<role>': 'user or admin',
  '[id]': 'the id of the key',
  '<file>': 'the file to write, which must not exist',
  '<copy>': 'the copy, which stays',
};

/** @returns a function that makes a command of a group, whose help ends with the examples */
export const storeCommands =
  (terminal: Terminal, commands: readonly string[]) =>
  (
    usage: string,
    summary: string,
    work: (show: Show, options: never, ...given: readonly (string | undefined)[]) => Promise<void>,
  ): Command => {
    const [name, ...parameters] = usage.split(' ');
    const command = new Command(name)
      .summary(summary)
      .description(`${summary.replace(/^./, (first) => first.toUpperCase())}.`)
      .option('--json', 'print one line of JSON per result')
      .addHelpText('after', storeHelp(...commands));
    for (const each of parameters) command.argument(each, ARGUMENTS[each]);
    return command.action(async (...given: readonly unknown[]) => {
      const show: Show = (text, json) =>
        command.opts<{ readonly json?: true }>().json ? printJson(terminal, json) : print(terminal, text);
      // Commander passes the options and the command after the arguments.
      await work(
        show,
        command.opts<never>(),
        ...(given.slice(0, parameters.length) as readonly (string | undefined)[]),
      );
    });
  };

const rows = Object.values<Setting<unknown>>(databaseSettings);

/** The option of the commands that read or write the fields of an application's contract. */
export const contractOption = [
  '--contract <file>',
  'an overlay of yours, whose stored fields the records have',
] as const;

interface StoreUse extends Pick<StorageObserver, 'onMigration' | 'onLaterMigration'> {
  /** False to run no migration; `onMigration` is then called with those that have not run. */
  readonly migrate?: false | 'exactly';
  /** Whether to wait for a PostgreSQL that does not answer yet, and to report this on stderr. */
  readonly waits?: boolean;
  /** The command for the audit log; undefined for one whose actions are recorded one by one. */
  readonly command?: string;
  /** The path of the application's contract. */
  readonly contract?: string | undefined;
}

interface OpenedStore extends OpenedStorage {
  readonly storage: SqlStorage;
  /** The application's contract; undefined for the core's. */
  readonly contract: OwnRest['contract'] | undefined;
}

async function compiled(file: string): Promise<OwnRest> {
  const { compileRest } = await import('../../open/own-contract.js');
  return await compileRest(file);
}

/**
 * Runs work on the store and then closes it, even if the work fails. Only the settings of the store are read; the others need not
 * be valid. The adapters are loaded now, because the help of a command does not need them.
 *
 * @param use - how the store is used
 */
export async function withStore<Result>(
  { env, stderr }: Terminal,
  work: (opened: OpenedStore) => Promise<Result>,
  { migrate, waits = false, command, contract: file, ...observer }: StoreUse = {},
): Promise<Result> {
  for (const warning of slipWarnings(env, variableNames(rows))) stderr.write(`${warning}\n`);
  const settings = readDatabase(env);
  const report = (line: string) => void stderr.write(`${line}\n`);
  const waiting = waits ? { seconds: settings.startWaitSeconds, report } : undefined;
  const { openStorage } = await import('../../open/adapters.js');
  const contract = file === undefined ? undefined : (await compiled(file)).contract;
  const opened = (await openStorage(
    { ...settings, migrate, contract },
    { ...observer, waiting },
  )) as OpenedStorage & {
    readonly storage: SqlStorage; // no command accepts the memory
  };
  const record = async (outcome: string): Promise<void> => {
    if (command !== undefined) await recordCommand(opened.storage, command, outcome);
  };
  try {
    const result = await work({ ...opened, contract });
    await record('done');
    return result;
  } catch (error) {
    // The reason why the command failed matters more than a failure to record it.
    await record('failed').catch(() => undefined);
    throw error;
  } finally {
    await opened.storage.close();
  }
}

export async function recordCommand({ audit }: Storage, detail: string, outcome: string): Promise<void> {
  await audit.add([auditEntryOf(operator, { action: 'command', detail }, systemClock.now(), outcome)]);
}

export function readDatabase(env: Terminal['env']): DatabaseSettings {
  const settings = readValues(databaseSettings, givenSettings(env, rows)) as DatabaseSettings;
  if (settings.database.kind !== 'memory') return settings;
  throw new CommandFailure(
    `${databaseSettings.database.name} is memory:, whose data would end with this command: name a lasting store, sqlite:<path> or postgres://…`,
  );
}

interface OperatorOptions {
  /** Needed only by work that stores passwords. */
  readonly passwordHasher?: PasswordHasher;
  /** Whether the work changes users, which is then announced to the services; a broker that fails is reported on stderr. */
  readonly changesUsers?: boolean;
}

/** Runs work on the services over the store, as the operator, who may do everything. */
export async function asOperator<Result>(
  terminal: Terminal,
  work: (services: Services, operator: Caller, storage: Storage) => Promise<Result>,
  { changesUsers = false, ...options }: OperatorOptions = {},
): Promise<Result> {
  return await withStore(terminal, async ({ storage }) => {
    const { operatorServices } = await import('../../open/prepare-store.js');
    const { openOutbox } = await import('../../open/outbox.js');
    const settings = readDatabase(terminal.env);
    // The writes of commands are events too, which the service delivers.
    const outbox = await openOutbox(settings);
    if (!changesUsers)
      return await work(operatorServices(storage, { ...options, outbox }), operator, storage);
    const { openEvents } = await import('../../open/adapters.js');
    let fault: unknown;
    const report = (error: unknown): void => void (fault ??= error);
    const events = await openEvents(settings.events).catch(report);
    try {
      const services = operatorServices(storage, { ...options, outbox, report, ...(events && { events }) });
      return await work(services, operator, storage);
    } finally {
      await events?.close();
      if (fault !== undefined) {
        const { causeOf } = await import('../../watch/failure-log.js');
        terminal.stderr.write(`open subscriptions may last ten more seconds: ${causeOf(fault).cause}\n`);
      }
    }
  });
}
