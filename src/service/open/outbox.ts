/** Opens the outbox: what sends events, measures their deliveries, and stops with the service. */

import { type CloudEvent, type Consume, type Outbox, type OutboxOptions, cloudEvent } from '@concordat/core';
import type { Settings } from '../settings/settings.js';
import type { Watching } from './adapters.js';

/** The events of the writes, for the application's own code. */
export interface ServiceEvents {
  /**
   * Passes each event to a function: at least once, and in order for each record. What it has got is stored under its name, which processes
   * share. If it throws, or has not ended within 30 seconds, it gets the event again.
   *
   * @throws an error unless the setting `outbox` is on, and for a name that has been given here already
   */
  outbox(consume: (event: CloudEvent) => unknown, name?: string): Promise<void>;

  /** Deletes the events that wait for a function of this name. Call it once when no process passes one any more. */
  forget(name: string): Promise<void>;
}

/** Waiting deliveries are counted this often, in milliseconds, because counting takes longer the more there are. */
const COUNT_MS = 15_000;

/** How long deliveries that are on their way may take when the service stops. */
const GRACE_MS = 2_000;

/** A receiver that fails is logged this often, in milliseconds, beside its first failure. */
const FAILING_MS = 3_600_000;
const MOST_FAILING = 10_000;

/** @param watching - undefined for commands, which deliver nothing */
export async function openOutbox(
  { webhookAllow = [] }: Pick<Settings, 'webhookAllow'>,
  watching?: Pick<Watching, 'log' | 'metrics'>,
): Promise<OutboxOptions> {
  const { webhookSender } = await import('@concordat/core/events/webhooks');
  const outbox = { sender: webhookSender({ allow: webhookAllow }), encode: cloudEvent };
  if (watching === undefined) return outbox;
  const { log, metrics } = watching;
  for (const outcome of ['delivered', 'failed', 'disabled']) metrics.measure('deliveries', outcome);
  /** When receivers that failed were logged, the longest ago first. */
  const logged = new Map<string, number>();
  const isToLog = (id: string): boolean => {
    const now = performance.now();
    if (now - (logged.get(id) ?? -Infinity) < FAILING_MS) return false;
    logged.delete(id);
    logged.set(id, now);
    const [[first = id] = []] = logged;
    if (logged.size > MOST_FAILING) logged.delete(first);
    return true;
  };
  return {
    ...outbox,
    noted(outcome, { id, url, consumer }, answer) {
      metrics.measure('deliveries', outcome)();
      // Its path and query may hold a token.
      const receiver = consumer === undefined ? { webhook: id, origin: new URL(url).origin } : { consumer };
      if (outcome === 'disabled') log.error({ ...receiver, answer }, 'a webhook is disabled');
      if (outcome === 'failed' && isToLog(id))
        log.warn({ ...receiver, answer }, 'a receiver of events fails');
    },
  };
}

/** Delivers until the service stops, if that is not left to other processes. */
export function runOutbox(
  outbox: Outbox,
  settings: Pick<Settings, 'outbox'>,
  { metrics, shutdown, failures }: Watching,
): ServiceEvents {
  // While requests in flight are finished: what they store is delivered by others, or after the start.
  if (settings.outbox) shutdown.onDrain((limitMs) => outbox.stop(Math.min(GRACE_MS, limitMs)));
  if (settings.outbox === true) {
    let waiting: Awaited<ReturnType<Outbox['waiting']>> = { count: 0, oldest: undefined };
    metrics.read('pendingDeliveries', () => [[waiting.count]]);
    metrics.read('oldestDelivery', () => {
      const { oldest } = waiting;
      return [[oldest === undefined ? 0 : Math.max(0, (Date.now() - Date.parse(oldest)) / 1000)]];
    });
    const count = (): void =>
      void outbox.waiting().then(
        (counted) => (waiting = counted),
        (error: unknown) => failures.other(error, 'the waiting deliveries could not be counted'),
      );
    const timer = setInterval(count, COUNT_MS).unref();
    outbox.start();
    shutdown.onClose(() => clearInterval(timer));
  }
  return {
    async outbox(consume, name = 'default') {
      if (settings.outbox !== true) throw new Error('consumers of events need the setting OUTBOX=on');
      await outbox.consume(name, consume as Consume);
    },
    forget: (name) => outbox.forget(name),
  };
}
