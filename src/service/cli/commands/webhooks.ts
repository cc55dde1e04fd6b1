/** `concordat-service webhooks`: manages the addresses that get the events of the service. */

import { type EventType, type WebhookWithSecret, eventTypes } from '@concordat/core';
import { Command, InvalidArgumentError } from 'commander';
import { type Terminal, CommandFailure, examples, print, printJson } from '@concordat/runtime/terminal';
import { asOperator, storeHelp } from './with-store.js';

interface JsonOption {
  readonly json?: true;
}

const EXAMPLES = [
  'concordat-service webhooks create https://stock.example.com/hooks --types order.created,order.updated',
  'concordat-service webhooks deliveries 1 --json',
  'concordat-service webhooks redeliver 1',
];

export function webhooksCommand(terminal: Terminal): Command {
  const command = (
    name: string,
    summary: string,
    json: string,
    description = `${summary[0]?.toUpperCase() ?? ''}${summary.slice(1)}.`,
  ) =>
    new Command(name)
      .summary(summary)
      .description(description)
      .option('--json', `print ${json} as JSON`)
      .addHelpText('after', storeHelp(...EXAMPLES));
  const ofOne = (...given: Parameters<typeof command>) =>
    command(...given).argument('<id>', 'the id of the webhook');
  const show = (json: true | undefined, value: object, ...lines: readonly string[]): void => {
    if (json) printJson(terminal, value);
    else for (const line of lines) print(terminal, line);
  };
  const showSecret = (json: true | undefined, { webhook: { id, url }, secret }: WebhookWithSecret): void =>
    show(
      json,
      { id, url, secret },
      secret,
      `The webhook to ${url} has the id ${id}. Keep the secret: it is not shown again.`,
    );

  return new Command('webhooks')
    .summary('create, list, test and delete webhooks, and deliver events again')
    .description(
      'Manages the webhooks of the store: the addresses of other services that get events about writes.',
    )
    .addHelpText('after', examples(...EXAMPLES))
    .addCommand(
      command('create', 'create a webhook and print its secret', '{"id", "url", "secret"}')
        .argument('<url>', 'the address that gets the events')
        .option('--types <types>', 'the types of events, separated by commas (default: all)', typesOf)
        .action(
          async (url: string, { types, json }: JsonOption & { readonly types?: readonly EventType[] }) => {
            showSecret(
              json,
              await asOperator(terminal, ({ webhooks }, operator) =>
                webhooks.create(operator, { url, types }),
              ),
            );
          },
        ),
    )
    .addCommand(
      command('list', 'list the webhooks', 'one line per webhook').action(async ({ json }: JsonOption) => {
        await asOperator(terminal, async ({ webhooks }, operator) => {
          for (let page = 1, hasNext = true; hasNext; page++) {
            const found = await webhooks.list(operator, { page, limit: 100 });
            hasNext = found.pagination.hasNext;
            for (const { id, status, createdAt, url, types } of found.data) {
              show(
                json,
                { id, url, types, status, createdAt },
                [id, status, createdAt, url, types?.join() ?? 'all'].join('\t'),
              );
            }
          }
        });
      }),
    )
    .addCommand(
      ofOne('delete', 'delete a webhook', '{"id"}').action(async (id: string, { json }: JsonOption) => {
        await asOperator(terminal, ({ webhooks }, operator) => webhooks.delete(operator, id));
        show(json, { id }, `The webhook ${id} is deleted`);
      }),
    )
    .addCommand(
      ofOne(
        'rotate',
        'give a webhook a new secret, beside which the old one signs for a day',
        '{"id", "url", "secret"}',
      ).action(async (id: string, { json }: JsonOption) => {
        showSecret(
          json,
          await asOperator(terminal, ({ webhooks }, operator) => webhooks.rotate(operator, id)),
        );
      }),
    )
    .addCommand(
      ofOne('test', 'send a test event', '{"delivered", "answer"}').action(
        async (id: string, { json }: JsonOption) => {
          const outcome = await asOperator(terminal, ({ webhooks }, operator) => webhooks.test(operator, id));
          show(json, outcome, `${outcome.delivered ? 'delivered' : 'not delivered'}: ${outcome.answer}`);
          if (!outcome.delivered) throw new CommandFailure(`The webhook ${id} did not take the event`);
        },
      ),
    )
    .addCommand(
      ofOne('deliveries', 'list the last 100 deliveries, the newest first', 'one line per delivery').action(
        async (id: string, { json }: JsonOption) => {
          const found = await asOperator(terminal, ({ webhooks }, operator) =>
            webhooks.listDeliveries(operator, id),
          );
          for (const each of found.data) {
            const { id: delivery, status, attempts, changedAt, type, subject, answer = '-' } = each;
            show(json, each, [delivery, status, attempts, changedAt, type, subject, answer].join('\t'));
          }
        },
      ),
    )
    .addCommand(
      ofOne('redeliver', 'deliver again what failed, and make the webhook active', '{"id", "events"}')
        .option('--delivery <id>', 'only this delivery, which may have succeeded')
        .action(async (id: string, { delivery, json }: JsonOption & { readonly delivery?: string }) => {
          const events = await asOperator(terminal, ({ webhooks }, operator) =>
            webhooks.redeliver(operator, id, delivery),
          );
          show(
            json,
            { id, events },
            `${events === 1 ? '1 event is' : `${String(events)} events are`} delivered again`,
          );
        }),
    );
}

function typesOf(given: string): readonly EventType[] {
  const types = given.split(',').map((type) => type.trim());
  const unknown = types.find((type) => !(eventTypes as readonly string[]).includes(type));
  if (unknown === undefined) return types as readonly EventType[];
  throw new InvalidArgumentError(`${unknown} is none of ${eventTypes.join(', ')}.`);
}
