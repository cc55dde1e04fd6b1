/** `concordat-service webhooks`: manages the addresses that get the events of the service. */

import {
  type Caller,
  type EventType,
  type Services,
  type WebhookWithSecret,
  eventTypes,
} from '@concordat/core';
import { Command, InvalidArgumentError } from 'commander';
import {
  type Terminal,
  CommandFailure,
  counted,
  examples,
  print,
  printJson,
} from '@concordat/runtime/terminal';
import { asOperator, storeHelp } from './with-store.js';

interface Options {
  readonly types?: readonly EventType[];
  readonly delivery?: string;
  readonly json?: true;
}

/** A line for people, or the object that `--json` prints in its place. */
type Line = readonly [text: string, json: object];

/** @param argument - the address or the id of the webhook; empty for a command without one */
type Work = (
  webhooks: Services['webhooks'],
  operator: Caller,
  argument: string,
  options: Options,
) => Promise<readonly Line[]>;

const EXAMPLES = [
  'concordat-service webhooks create https://stock.example.com/hooks --types order.created,order.updated',
  'concordat-service webhooks deliveries 1 --json',
  'concordat-service webhooks redeliver 1',
];

export function webhooksCommand(terminal: Terminal): Command {
  const command = (usage: string, summary: string, work: Work): Command => {
    const run = async (argument: string, options: Options): Promise<void> => {
      const lines = await asOperator(terminal, ({ webhooks }, operator) =>
        work(webhooks, operator, argument, options),
      );
      for (const [text, json] of lines) {
        if (options.json) printJson(terminal, json);
        else print(terminal, text);
      }
    };
    const [name, argument] = usage.split(' ');
    const made = new Command(name)
      .summary(summary)
      .description(`${summary.replace(/^./, (first) => first.toUpperCase())}.`);
    if (argument !== undefined) made.argument(argument);
    return made
      .option('--json', 'print one line of JSON per result')
      .addHelpText('after', storeHelp(...EXAMPLES))
      .action(argument === undefined ? (options: Options) => run('', options) : run);
  };

  return new Command('webhooks')
    .summary('create, list, test and delete webhooks, and deliver events again')
    .description('Manages the webhooks of the store: the addresses that get events about writes.')
    .addHelpText('after', examples(...EXAMPLES))
    .addCommand(
      command(
        'create <url>',
        'create a webhook and print its secret',
        async (webhooks, operator, url, { types }) =>
          secretOf(await webhooks.create(operator, { url, types })),
      ).option('--types <types>', 'the types of events, separated by commas (default: all)', typesOf),
    )
    .addCommand(
      command('list', 'list the webhooks', async (webhooks, operator) => {
        const lines: Line[] = [];
        for (let page = 1, hasNext = true; hasNext; page++) {
          const found = await webhooks.list(operator, { page, limit: 100 });
          hasNext = found.pagination.hasNext;
          for (const { id, status, createdAt, url, types } of found.data) {
            const cells = [id, status, createdAt, url, types?.join() ?? 'all'];
            lines.push([cells.join('\t'), { id, url, types, status, createdAt }]);
          }
        }
        return lines;
      }),
    )
    .addCommand(
      command('delete <id>', 'delete a webhook', async (webhooks, operator, id) => {
        await webhooks.delete(operator, id);
        return [[`The webhook ${id} is deleted`, { id }]];
      }),
    )
    .addCommand(
      command(
        'rotate <id>',
        'print a new secret; the old one signs for a day more',
        async (webhooks, operator, id) => secretOf(await webhooks.rotate(operator, id)),
      ),
    )
    .addCommand(
      command('test <id>', 'send a test event', async (webhooks, operator, id) => {
        const outcome = await webhooks.test(operator, id);
        if (outcome.delivered) return [[`delivered: ${outcome.answer}`, outcome]];
        throw new CommandFailure(`The webhook ${id} did not take the event: ${outcome.answer}`);
      }),
    )
    .addCommand(
      command(
        'deliveries <id>',
        'list the last 100 deliveries, the newest first',
        async (webhooks, operator, id) => {
          const { data } = await webhooks.listDeliveries(operator, id);
          return data.map(({ id: delivery, eventId, status, attempts, changedAt, type, subject, answer }) => {
            const cells = [delivery, status, attempts, changedAt, type, subject, answer ?? '-'];
            return [
              cells.join('\t'),
              { id: delivery, eventId, status, attempts, changedAt, type, subject, answer },
            ];
          });
        },
      ),
    )
    .addCommand(
      command(
        'redeliver <id>',
        'deliver failed events again',
        async (webhooks, operator, id, { delivery }) => {
          const events = await webhooks.redeliver(operator, id, delivery);
          const text = `${counted(events, 'event is', 'events are')} delivered again`;
          return [[text, { id, events }]];
        },
      ).option('--delivery <id>', 'only this delivery, which may have succeeded'),
    );
}

function secretOf({ webhook: { id, url }, secret }: WebhookWithSecret): readonly Line[] {
  const text = `The webhook to ${url} has the id ${id}. Keep the secret: it is not shown again.`;
  return [[`${secret}\n${text}`, { id, url, secret }]];
}

function typesOf(given: string): readonly EventType[] {
  const types = given.split(',').map((type) => type.trim());
  const unknown = types.find((type) => !(eventTypes as readonly string[]).includes(type));
  if (unknown === undefined) return types as readonly EventType[];
  throw new InvalidArgumentError(`${unknown} is none of ${eventTypes.join(', ')}.`);
}
