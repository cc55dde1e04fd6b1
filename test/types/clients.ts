/** What a client of a service refuses to compile, and the types of its answers. */

import type { Programs } from './programs.js';

const PROGRAM = `import { contract } from '../../../generated/routing.js';
import * as responseChecks from '../../../generated/response-validators.js';
import { contract as streaming } from './streams/routing.js';
import { type RestClient, type UnexpectedAnswer, restClient } from '@concordat/runtime/client';
import type { Operations } from '../../../generated/operations.js';

const credentials = { bearerAuth: async () => 'token', apiKeyAuth: 'key' };
export const client: RestClient<Operations> = restClient({ contract, responseChecks, baseUrl: 'https://example.com', credentials });

export const reporting = restClient({
  contract,
  baseUrl: new URL('https://example.com'),
  credentials,
  check: 'report',
  report: (problem: UnexpectedAnswer) => console.error(problem.status),
});

export async function nameOf(id: string): Promise<string> {
  const answer = await client.getUser({ path: { id } }, { signal: AbortSignal.timeout(5), headers: { 'x-a': '1' } });
  const type: 'application/json' | 'application/xml' | undefined = answer.contentType;
  if (answer.status === 200) return answer.body.name + answer.headers['etag'] + type;
  return answer.status === 304 ? '' : answer.body.error;
}

const streams = restClient({ contract: streaming, baseUrl: 'https://example.com' });

async function* entries() {
  yield await Promise.resolve({ name: 'a', level: 1 });
}

export async function echoed(): Promise<string> {
  const { body } = await streams.echoEntries({ body: entries() });
  for await (const { name } of body) return name;
  const file = await streams.readFile({ path: { name: 'a' } });
  return await new Response(file.body).text();
}
`;

const refusals: readonly (readonly [what: string, piece: string, replacement: string, says: RegExp])[] = [
  ['an operation that there is not', 'client.getUser', 'client.getUsr', /'getUsr' does not exist/],
  [
    'a parameter of another type',
    'path: { id }',
    'path: { id: 1 }',
    /'number' is not assignable to type 'string'/,
  ],
  ['a call without its path', '{ path: { id } }', '{}', /'path' is missing/],
  ['a status that is not declared', 'answer.status === 304', 'answer.status === 418', /no overlap/],
  ['a property that not all answers have', 'answer.body.error', 'answer.body.name', /'name' does not exist/],
  [
    'a credential of no scheme',
    'credentials,\n',
    "credentials: { cookieAuth: 'a' },\n",
    /'cookieAuth' does not exist/,
  ],
  ['an option that there is not', 'baseUrl: new URL(', 'baseURL: new URL(', /baseURL/],
  ['another way to check', "check: 'report'", "check: 'warn'", /'"warn"' is not assignable/],
  ['no base URL', "baseUrl: 'https://example.com', credentials", 'credentials', /'baseUrl' is missing/],
  [
    'an item of another type',
    "name: 'a', level",
    'name: 7, level',
    /'number' is not assignable to type 'string'/,
  ],
  ['bytes as a text', 'new Response(file.body).text()', 'file.body', /not assignable to type 'string'/],
];

export const clients: Programs = {
  title: 'a client of a service',
  program: PROGRAM,
  refusals: refusals.map(([what, piece, replacement, says]) => ({
    what,
    change: [piece, replacement],
    says,
  })),
};
