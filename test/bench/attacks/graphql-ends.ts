/** Queries that end at each of their limits, in this process: the CPU time from the limit to the answer, and the longest stretch for which others wait. */

import { existsSync, readFileSync } from 'node:fs';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { compileQuery, graphqlEngine, type RunningOperation } from '@concordat/runtime/graphql';

/** Lists of so many items in each other. */
const ITEMS = 45;
const MOST_ITEMS = 100_000;
const MAX_CPU_MS = 100;
const MAX_STRETCH_MS = 50;

const typeDefs = `
  type Query { items: [Item!]! }
  type Item { id: ID!, text: String!, owner: Owner! }
  type Owner { id: ID!, items: [Item!]! }
`;

const items = Array.from({ length: ITEMS }, (_, id) => ({ id, text: 'x'.repeat(2000) }));
const three = '{ items { id owner { items { id owner { items { id } } } } } }';
const four = '{ items { id owner { items { id owner { items { id owner { items { id } } } } } } } }';
const texts = '{ items { owner { items { owner { items { text } } } } } }';

interface Row {
  readonly query: string;
  readonly seconds?: number;
  /** Milliseconds after which the client leaves. */
  readonly leaves?: number;
}

const ROWS: Readonly<Record<string, Row>> = {
  'within the limits': { query: three },
  'the number of items': { query: four },
  'the bytes of the answer': { query: texts },
  'the time': { query: three, seconds: 0.05 },
  'a client that leaves': { query: three, leaves: 30 },
};

export async function graphqlEnds(): Promise<void> {
  for (const [what, row] of Object.entries(ROWS)) {
    for (const how of ['interpreted', 'compiled'] as const) await measure(what, row, how);
  }
}

async function measure(what: string, row: Row, how: 'interpreted' | 'compiled'): Promise<void> {
  let left = MOST_ITEMS;
  let cpuAtEnd: NodeJS.CpuUsage | undefined;
  let running: RunningOperation | undefined;
  const list = async () => {
    await Promise.resolve();
    left -= items.length;
    if (left < 0) running?.refuse('There are too many items');
    return items;
  };
  const engine = graphqlEngine<undefined>({
    schema: makeExecutableSchema({
      typeDefs,
      resolvers: { Query: { items: list }, Item: { owner: () => ({ id: 1 }) }, Owner: { items: list } },
    }),
    compile: how === 'compiled' ? compileQuery : () => undefined,
    limits: { responseBytes: 16 * 1024 * 1024, ...(row.seconds && { seconds: row.seconds }) },
    begin(_, begun) {
      left = MOST_ITEMS;
      running = begun;
      begun.signal.addEventListener('abort', () => (cpuAtEnd = process.cpuUsage()));
    },
    explain: () => undefined,
    report: console.error,
  });
  const operation = engine.prepare({ query: row.query });
  if ('errors' in operation) throw new Error(JSON.stringify(operation.errors));
  // Only the second run is compiled.
  if (how === 'compiled') operation.compiled();

  let worst = 0;
  const state = { isOver: false };
  const watching = (async () => {
    // In CPU time, which does not depend on what else the machine does.
    for (let before = threadMs(); !state.isOver; before = threadMs()) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      worst = Math.max(worst, threadMs() - before);
    }
  })();
  const client = new AbortController();
  if (row.leaves !== undefined) setTimeout(() => client.abort(), row.leaves);
  const begin = process.cpuUsage();
  const { result } = await engine.executeToJson(operation, undefined, undefined, {}, client);
  const cpu = msOf(process.cpuUsage(cpuAtEnd ?? begin));
  state.isOver = true;
  await watching;
  const outcome = result.errors?.[0]?.message ?? 'answered';
  const isMissed = (cpuAtEnd !== undefined && cpu > MAX_CPU_MS) || worst > MAX_STRETCH_MS;
  console.log(
    `${what}, ${how}: ${outcome}; ${cpu.toFixed(0)} ms of CPU ${cpuAtEnd ? 'from the limit' : 'in all'}; others wait for ${worst.toFixed(0)} ms of CPU at most${isMissed ? ' (missed)' : ''}`,
  );
  if (isMissed) process.exitCode = 1;
}

/** The CPU time of this thread, where the system has it: that of the process has also the threads of the compiler and of the collector. */
function threadMs(): number {
  const [nanoseconds] = existsSync(THREAD) ? readFileSync(THREAD, 'utf8').split(' ') : [];
  return nanoseconds === undefined ? msOf(process.cpuUsage()) : Number(nanoseconds) / 1e6;
}

const THREAD = '/proc/thread-self/schedstat';

function msOf({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000;
}
