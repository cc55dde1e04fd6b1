/** `concordat-service webhooks`: manages the addresses that get the events of the service. */

import {
  type Caller,
  type EventType,
  type Services,
  type WebhookWithSecret,
  eventTypes,
} from '@concordat/core';
import { Command, InvalidArgumentError } from 'commander';
import { type Terminal, CommandFailure, counted, examples } from '@concordat/runtime/terminal';
import { type Show, asOperator, storeCommands } from './with-store.js';

interface Options {
  readonly types?: readonly EventType[];
  readonly delivery?: string;
}

/** @param argument - the address or the id of the webhook; empty for a command without one */
type Work = (
  webhooks: Services['webhooks'],
  operator: Caller,
  show: Show,
  argument: string,
  options: Options,
) => Promise<void>;

const EXAMPLES = [
  'concordat-service webhooks create https://stock.example.com/hooks --types order.created,order.updated',
  'concordat-service webhooks deliveries 1 --json',
  'concordat-service webhooks redeliver 1',
];

export function webhooksCommand(terminal: Terminal): Command {
  const storeCommand = storeCommands(terminal, EXAMPLES);
  const command = (usage: string, summary: string, work: Work): Command =>
    storeCommand(usage, summary, (show, options: Options, argument = '') =>
      asOperator(terminal, ({ webhooks }, operator) => work(webhooks, operator, show, argument, options)),
    );

  return new Command('webhooks')
    .summary('create, list, test and delete webhooks, and deliver events again')
    .description('Manages the webhooks of the store: the addresses that get events about writes.')
    .addHelpText('after', examples(...EXAMPLES))
    .addCommand(
      command(
        'create <url>',
        'create a webhook and print its secret',
        async (webhooks, operator, show, url, { types }) =>
          showSecret(show, await webhooks.create(operator, { url, types })),
      ).option('--types <types>', 'the types of events, separated by commas (default: all)', typesOf),
    )
    .addCommand(
      command('list', 'list the webhooks', async (webhooks, operator, show) => {
        for (let page = 1, hasNext = true; hasNext; page++) {
          const found = await webhooks.list(operator, { page, limit: 100 });
          hasNext = found.pagination.hasNext;
          for (const { id, status, createdAt, url, types } of found.data) {
            const cells = [id, status, createdAt, url, types?.join() ?? 'all'];
            show(cells.join('\t'), { id, url, types, status, createdAt });
          }
        }
      }),
    )
    .addCommand(
      command('delete <id>', 'delete a webhook', async (webhooks, operator, show, id) => {
        await webhooks.delete(operator, id);
        show(`The webhook ${id} is deleted`, { id });
      }),
    )
    .addCommand(
      command(
        'rotate <id>',
        'print a new secret; the old one signs for a day more',
        async (webhooks, operator, show, id) => showSecret(show, await webhooks.rotate(operator, id)),
      ),
    )
    .addCommand(
      command('test <id>', 'send a test event', async (webhooks, operator, show, id) => {
        const outcome = await webhooks.test(operator, id);
        if (!outcome.delivered)
          throw new CommandFailure(`The webhook ${id} did not take the event: ${outcome.answer}`);
        show(`delivered: ${outcome.answer}`, outcome);
      }),
    )
    .addCommand(
      command(
        'deliveries <id>',
        'list the last 100 deliveries, the newest first',
        async (webhooks, operator, show, webhook) => {
          const { data } = await webhooks.listDeliveries(operator, webhook);
          for (const { id, eventId, status, attempts, changedAt, type, subject, answer } of data) {
            const cells = [id, status, attempts, changedAt, type, subject, answer ?? '-'];
            show(cells.join('\t'), { id, eventId, status, attempts, changedAt, type, subject, answer });
          }
        },
      ),
    )
    .addCommand(
      command(
        'redeliver <id>',
        'deliver failed events again',
        async (webhooks, operator, show, id, { delivery }) => {
          const events = await webhooks.redeliver(operator, id, delivery);
          show(`${counted(events, 'event is', 'events are')} delivered again`, { id, events });
        },
      ).option('--delivery <id>', 'only this delivery, which may have succeeded'),
    );
}

function showSecret(show: Show, { webhook: { id, url }, secret }: WebhookWithSecret): void {
  const text = `The webhook to ${url} has the id ${id}. Keep the secret: it is not shown again.`;
  show(`${secret}\n${text}`, { id, url, secret });
}

function typesOf(given: string): readonly EventType[] {
  const types = given.split(',').map((type) => type.trim());
  const unknown = types.find((type) => !(eventTypes as readonly string[]).includes(type));
  if (unknown === undefined) return types as readonly EventType[];
  throw new InvalidArgumentError(`${unknown} is none of ${eventTypes.join(', ')}.`);
}
