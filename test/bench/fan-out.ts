/** Many subscribers of one server, in a process of their own on the core of the load. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { LOAD_CORE, onCore } from './cores.js';
import { cpuSeconds } from './process-usage.js';
import type { ServerProcess } from './server-process.js';

const SUBSCRIBERS = fileURLToPath(new URL('fan-out/subscribers.ts', import.meta.url));
const CONTENT_BYTES = 1000;

/** Subscribers that are ready. */
export interface FanOut {
  /** The message of the first event that one of them has got. */
  readonly sample: string;
  /** Creates the posts. @returns how long it took until all subscribers had all of them, and the CPU time of the server */
  publish(): Promise<{ readonly seconds: number; readonly cpu: number }>;
  leave(): Promise<void>;
}

export interface FanOutOptions {
  /** `websocket` unless given. */
  readonly transport?: 'websocket' | 'sse';
  /** The secret of the server's access tokens: each subscriber is then a user of its own. Without one, they are anonymous. */
  readonly secret?: string;
}

/** @param posts - how many are created at a time */
export async function startFanOut(
  { url, pid }: ServerProcess,
  subscribers: number,
  posts: number,
  { transport = 'websocket', secret = '' }: FanOutOptions = {},
): Promise<FanOut> {
  const parameters = [url, subscribers, posts, CONTENT_BYTES, transport, secret].map(String);
  const [program, ...rest] = onCore(LOAD_CORE, [
    process.execPath,
    ...['--conditions=@concordat/source', '--import', 'tsx', SUBSCRIBERS],
    ...parameters,
  ]);
  const child = spawn(program, rest, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const sample = (await answerOf(child)) as string;
  return {
    sample,
    async publish() {
      const before = cpuSeconds(pid);
      child.send('publish');
      const seconds = (await answerOf(child)) as number;
      return { seconds, cpu: cpuSeconds(pid) - before };
    },
    async leave() {
      const exit = once(child, 'exit');
      child.kill();
      await exit;
    },
  };
}

async function answerOf(child: ChildProcess): Promise<unknown> {
  const abort = new AbortController();
  const { signal } = abort;
  try {
    const answer = once(child, 'message', { signal });
    const exit = once(child, 'exit', { signal }).then(() => {
      throw new Error('the subscribers ended');
    });
    const [message] = (await Promise.race([answer, exit])) as [unknown];
    return message;
  } finally {
    abort.abort();
  }
}
