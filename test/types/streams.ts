/** What the generated signatures of streams let handlers do, held against the compiler under the project's strict settings. */

import type { Programs, Refusal } from './programs.js';

const PROGRAM = `
import type { paths } from './streams/openapi.js';
import type { Operations } from './streams/operations.js';
import { contract } from './streams/routing.js';
import { type CallContext, restEngine } from '@concordat/runtime';
import { arbitraryOf } from '@concordat/tools/fast-check';
import type fc from 'fast-check';

export async function* entries() {
  yield await Promise.resolve({ name: 'a', level: 1 });
}

async function* changes() {
  yield { event: 'added' as const, data: { id: 1 } };
  yield await Promise.resolve({ event: 'removed' as const, data: '1' });
}

async function* pictures() {
  yield { id: 1 };
  yield await Promise.resolve(new Uint8Array());
}

export const operations: Operations<CallContext<undefined>> = {
  readEntries: () => ({ status: 200, body: entries() }),
  echoEntries: ({ body }) => ({ status: 200, body }),
  async addEntries({ body }) {
    let count = 0;
    for await (const { name, level } of body) count += name.length + (level ?? 0);
    return { status: 200, body: { count } };
  },
  readEvents: () => ({ status: 200, body: new ReadableStream<{ data: string }>() }),
  async addEvents({ body }) {
    for await (const { data } of body) data.trim();
    return { status: 200, body: { count: 0 } };
  },
  readChanges: () => ({ status: 200, body: changes() }),
  async addChanges({ body }) {
    let count = 0;
    for await (const change of body) count += change.event === 'added' ? (change.data?.id ?? 0) : Number(change.data);
    return { status: 200, body: { count } };
  },
  readPictures: () => ({ status: 200, body: pictures() }),
  async addPictures({ body }) {
    let count = 0;
    for await (const part of body) count += part instanceof Uint8Array ? part.length : part.id;
    return { status: 200, body: { count } };
  },
  readFile: ({ path }) => ({ status: 200, body: path.name === '' ? new Uint8Array() : new ReadableStream<Uint8Array>() }),
  async writeFile({ body }) {
    let count = 0;
    for await (const piece of body) count += piece.length;
    return { status: 200, body: { count } };
  },
  async upload({ body }) {
    let count = 0;
    for await (const part of body) {
      if (part.name === 'title' || part.name === 'tags') count += part.value.length;
      else if (part.name === 'size') count += part.value;
      else if (part.name === 'place') count += part.value.name.length;
      else for await (const piece of part.body) count += piece.length + part.filename.length;
    }
    return { status: 200, body: { count } };
  },
  uploadClosed: () => ({ status: 200, body: { count: 0 } }),
};

export const engine = restEngine({ contract, operations, security: {}, anonymous: undefined, report: console.error });

/** What a client of the contract is given. */
type Entries = paths['/entries']['get']['responses'][200]['content']['application/jsonl'];
export const first = async (stream: Entries): Promise<string | undefined> => {
  for await (const { name } of stream) return name;
  return undefined;
};

/** Items for property tests. */
export const entry: fc.Arbitrary<{ name: string; level?: number }> = arbitraryOf(contract, 'addEntries', 'item');
export const bytes: fc.Arbitrary<Uint8Array> = arbitraryOf(contract, 'writeFile', 'item');
`;

const REFUSALS: readonly Refusal[] = [
  {
    what: 'items of a request that has none',
    change: ["arbitraryOf(contract, 'addEntries', 'item')", "arbitraryOf(contract, 'readEntries', 'item')"],
    says: /TS2345[^]*'"item"' is not assignable/,
  },
  {
    what: 'an item of another type',
    change: ['fc.Arbitrary<{ name: string; level?: number }>', 'fc.Arbitrary<{ name: number }>'],
    says: /TS2322[^]*'string' is not assignable to type 'number'/,
  },
  {
    what: 'an item that is not one of the contract',
    change: ["{ name: 'a', level: 1 }", '{ name: 7, level: 1 }'],
    says: /TS2322[^]*'number' is not assignable to type 'string'/,
  },
  {
    what: 'an array where items are streamed',
    change: [
      'readEntries: () => ({ status: 200, body: entries() })',
      "readEntries: () => ({ status: 200, body: [{ name: 'a' }] })",
    ],
    says: /TS\d+[^]*Symbol\.asyncIterator/,
  },
  {
    what: 'data that is not that of its event',
    change: [
      "yield { event: 'added' as const, data: { id: 1 } };",
      "yield { event: 'added' as const, data: '1' };",
    ],
    says: /TS2322[^]*'string' is not assignable/,
  },
  {
    what: 'text among bytes',
    change: ['new ReadableStream<Uint8Array>() })', 'new ReadableStream<string>() })'],
    says: /TS2322[^]*'string' is not assignable to type 'Uint8Array/,
  },
  {
    what: 'a body of bytes that is read like one piece',
    change: ['for await (const piece of body) count += piece.length;', 'count = body.length;'],
    says: /TS2339: Property 'length' does not exist on type 'AsyncIterable<Uint8Array/,
  },
  {
    what: 'a field that the form does not have',
    change: ["part.name === 'size'", "part.name === 'weight'"],
    says: /TS2367/,
  },
  {
    what: 'the value of a part that is a file',
    change: ['count += piece.length + part.filename.length', 'count += part.value'],
    says: /TS2339: Property 'value' does not exist/,
  },
];

export const streams: Programs = {
  title: 'the signatures of streams',
  program: PROGRAM,
  refusals: REFUSALS,
  fixture: 'streams.openapi-3.2.yaml',
};
