/**
 * CPU time of reads in the mock of this service's contract with state, beside the mock without: one user, and lists of one and of 100, where the mock has one.
 * `npm run bench -- sandbox`.
 */
import { type HttpHandler, memoryRequest } from '@concordat/runtime';
import { handlerOf, sandboxOf } from '../../src/tools/mock/mock-handlers.js';
import { runContract } from '../../src/tools/running/running-contract.js';
import { median } from './compare.js';

const FILE = 'openapi.yaml';
const ROUNDS = 9;
const CALLS = 5_000;

const running = await runContract(FILE);
const sandbox = sandboxOf(running);
const users = sandbox.collections.find(({ parts }) => parts.name === 'users');
for (let count = 0; count < 100; count += 1)
  users?.create({ name: 'Ada Lovelace', email: `ada${String(count)}@example.com`, city: 'London' });
const mocks = { without: handlerOf(FILE, running), with: handlerOf(FILE, running, undefined, sandbox) };

/** Microseconds of CPU time per call. */
async function measured(mock: HttpHandler, path: string, calls: number): Promise<number> {
  const before = process.cpuUsage();
  for (let call = 0; call < calls; call += 1) await mock(memoryRequest({ path }));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
}

for (const [what, path, calls] of [
  ['a read of one user', '/api/users/1', CALLS],
  ['a list of one user', '/api/users?limit=1', CALLS / 5],
  ['a list of 100 users', '/api/users', CALLS / 20],
] as const) {
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const without = await measured(mocks.without, path, calls);
    ratios.push((await measured(mocks.with, path, calls)) / without);
  }
  console.log(`${what}: ${median(ratios).toFixed(2)} of the CPU time of the mock without state`);
}
