/** Observes a service during an attack, from another process: how much memory it takes, and how soon it answers others. */

import { setTimeout as sleep } from 'node:timers/promises';
import { residentMebibytes } from '../process-usage.js';
import type { ServerProcess } from '../server-process.js';

const MAX_GROWTH_MB = 128;
const MAX_LATENCY_MS = 500;
const SAMPLE_MS = 10;
const PROBE_MS = 50;
/** How long the service is observed after the attack, because what it has left behind is part of it. */
const AFTERMATH_MS = 1_000;

/** Runs an attack and prints what it did; the exit code says whether the targets were missed. */
export async function observe(server: ServerProcess, attack: () => Promise<void>): Promise<void> {
  // Read from the system, because a process that is busy does not answer how much it uses.
  const before = residentMebibytes(server.pid);
  let peak = before;
  let worst = 0;
  let isOver = false;
  const sampling = repeat(SAMPLE_MS, () => {
    peak = Math.max(peak, residentMebibytes(server.pid));
  });
  const probing = repeat(PROBE_MS, async () => {
    const start = performance.now();
    const { status } = await fetch(`${server.url}/healthz`);
    if (status !== 200) throw new Error(`/healthz answered ${String(status)}`);
    worst = Math.max(worst, performance.now() - start);
  });

  async function repeat(everyMs: number, step: () => Promise<void> | void): Promise<void> {
    while (!isOver) {
      await step();
      await sleep(everyMs);
    }
  }

  try {
    await attack();
    await sleep(AFTERMATH_MS);
  } finally {
    isOver = true;
  }
  await Promise.all([sampling, probing]);
  const growth = peak - before;
  console.log(`memory: ${before.toFixed(0)} MB before, at most ${growth.toFixed(0)} MB more`);
  console.log(`/healthz: after ${worst.toFixed(0)} ms at the latest`);
  const isMissed = growth > MAX_GROWTH_MB || worst > MAX_LATENCY_MS;
  console.log(
    `the targets, ${MAX_GROWTH_MB} MB and ${MAX_LATENCY_MS} ms, are ${isMissed ? 'missed' : 'reached'}`,
  );
  if (isMissed) process.exitCode = 1;
}
