/** Watches a service from outside: whether and how soon it answers, and how much memory it uses. */

import { setTimeout as sleep } from 'node:timers/promises';

const EVERY_MS = 100;
/** How often the memory is read. */
const SAMPLE_MS = 1_000;

export class Watch {
  /** The latency of each answer of `/healthz`. */
  readonly milliseconds: number[] = [];
  /** The resident memory, in the order in which it was read. */
  readonly samples: { readonly progress: number; readonly megabytes: number }[] = [];
  readonly failures: string[] = [];
  readonly #url: string;
  readonly #progress: () => number;
  #isOver = false;
  readonly #watching: Promise<void>;

  /** @param progress - returns how far the work is, from 0 to 1 */
  constructor(url: string, progress: () => number) {
    this.#url = url;
    this.#progress = progress;
    this.#watching = this.#watch();
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#watching;
  }

  /** The memory at that progress, in megabytes. */
  at(progress: number): number {
    return (
      (this.samples.find((sample) => sample.progress >= progress) ?? this.samples.at(-1))?.megabytes ?? 0
    );
  }

  async #watch(): Promise<void> {
    let sampled = -Infinity;
    while (!this.#isOver) {
      try {
        const start = performance.now();
        const { status } = await fetch(`${this.#url}/healthz`);
        if (status !== 200) this.failures.push(`/healthz answered ${status}`);
        this.milliseconds.push(performance.now() - start);
        if (start - sampled >= SAMPLE_MS) {
          sampled = start;
          const progress = this.#progress();
          this.samples.push({ progress, megabytes: await residentMegabytes(this.#url) });
        }
      } catch (error) {
        this.failures.push(String((error as Error).cause ?? error));
      }
      await sleep(EVERY_MS);
    }
  }
}

export async function residentMegabytes(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(metrics)?.[1]) / 1024 / 1024;
}
