/** `concordat-service audit`: prints entries of the audit log. */

import { type Command, Option } from 'commander';
import { timestampOf } from '@concordat/core';
import { type Terminal, usageFailure } from '@concordat/runtime/terminal';
import { storeCommands, withStore } from './with-store.js';

interface AuditOptions {
  readonly actor?: string;
  readonly action?: string;
  readonly target?: string;
  readonly since?: string;
  readonly limit: string;
}

/** Entries that are read at once. */
const PAGE = 500;

export function auditCommand(terminal: Terminal): Command {
  const command = storeCommands(terminal, [
    'concordat-service audit --target user:5',
    'concordat-service audit --action sessions.signIn --since 2026-11-01 --json',
  ]);
  return command('audit', 'print the log of privileged actions', async (show, options: AuditOptions) => {
    const { actor, action, target } = options;
    if (!/^[1-9]\d{0,8}$/.test(options.limit))
      throw usageFailure(`--limit must be a number from 1 to 999999999, not ${options.limit}`);
    const from = options.since === undefined ? undefined : Date.parse(options.since);
    if (Number.isNaN(from))
      throw usageFailure(`--since must be a time such as 2026-11-01, not ${String(options.since)}`);
    const since = from === undefined ? undefined : timestampOf(from);
    let left = Number(options.limit);
    await withStore(terminal, async ({ storage }) => {
      for (let before: string | undefined; left > 0;) {
        const limit = Math.min(PAGE, left);
        const page = await storage.audit.listBefore({ actor, action, target, since }, before, limit);
        for (const entry of page) {
          const { id, at, address, outcome, detail } = entry;
          const cells = [id, at, entry.actor, entry.action, entry.target, address, outcome, detail];
          show(cells.map((cell) => cell ?? '-').join('\t'), entry);
        }
        left = page.length < limit ? 0 : left - limit;
        before = page.at(-1)?.id;
      }
    });
  })
    .description(
      'Prints who did or tried which privileged action, on whom, from where and with which outcome, newest first. The columns are the id, time, actor, action, target, address, outcome and detail.',
    )
    .option('--actor <actor>', 'only actions of user:<id>, api-key:<id>, anonymous or operator')
    .option('--action <action>', 'only this action, such as users.giveRole')
    .option('--target <target>', 'only actions on this record, such as user:<id>')
    .option('--since <time>', 'only actions since then, such as 2026-11-01 or 2026-11-01T12:00:00Z')
    .addOption(new Option('--limit <count>', 'at most this many').default('100'));
}
