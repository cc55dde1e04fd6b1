/** A listener that records its events, for checks that wait for them. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventListener } from '../ports/events.js';

const patienceMs = 10_000;

export class Recorder implements EventListener {
  readonly ids: string[] = [];
  readonly interruptions: string[] = [];

  readonly received = (id: string): void => void this.ids.push(id);
  readonly interrupted = (since: string): void => void this.interruptions.push(since);

  /** Waits for an event. @throws AssertionError when it is not received in ten seconds */
  async meet(id: string): Promise<void> {
    const deadline = Date.now() + patienceMs;
    while (!this.ids.includes(id)) {
      assert.ok(Date.now() < deadline, `${id} is received; up to now there is ${JSON.stringify(this.ids)}`);
      await sleep(5);
    }
  }
}
