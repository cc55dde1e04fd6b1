/** Two versions of a contract, generated, and an engine of the second one whose handlers a test may replace. */

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Problem } from '@concordat/runtime';
import { generateContract, type GeneratedContract } from '../../codegen/generated-contract.js';

/** Generates the contract of a version into a folder `v1` or `v2`. */
export async function generatePeople(directory: string, version: 1 | 2): Promise<GeneratedContract> {
  const out = join(directory, `v${String(version)}`);
  await mkdir(out);
  const openapi = fileURLToPath(new URL(`people-${String(version)}.openapi.yaml`, import.meta.url));
  return generateContract(out, { openapi });
}

/** What handlers of any contract are given. */
export interface Given {
  readonly path: { readonly id: string };
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: { readonly fullName: string } & AsyncIterable<unknown>;
}

export interface Called {
  readonly id: string;
  readonly request: unknown;
  readonly caller: unknown;
  readonly address: string | undefined;
}

const ada = { id: '1', fullName: 'Ada' };

/** Handlers of version 2. */
export const handlers = {
  listUsers: () => ({
    status: 200,
    headers: { 'X-Total': 1, 'X-Next': '/people?after=1' },
    body: { items: [ada] },
  }),
  createUser: ({ body }: Given) => ({
    status: 201,
    headers: { Location: '/users/2' },
    body: { id: '2', ...body },
  }),
  readUser: ({ path }: Given) => {
    if (path.id === 'gone') throw new Problem(410, 'The user is gone');
    if (path.id === 'none') throw new Problem(404, 'There is no such user');
    if (path.id === 'left') return { status: 410, body: { error: 'The user has left' } };
    if (path.id === 'unknown') return { status: 404, body: { error: 'No user' } };
    if (path.id === 'broken') throw new TypeError('a secret of the database');
    return { status: 200, body: { ...ada, city: 'London' } };
  },
  deleteUser: ({ path }: Given) => {
    if (path.id === 'busy') throw new Problem(409, 'The user is busy');
    return { status: 204 };
  },
  ping: () => ({ status: 200, body: { at: new Date(0).toISOString() } }),
};
