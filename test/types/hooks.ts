/** What the compiler knows of hooks: the request and the answer of one operation, and the caller and the host of all. */

import type { Programs, Refusal } from './programs.js';

/** A whole program: an engine over the service's contract with hooks of every kind. */
const PROGRAM = `
import { contract } from '../../../generated/routing.js';
import type { Operations, SecuritySchemeName } from '../../../generated/operations.js';
import { type CallContext, type Hooks, type RestEngine, type SecurityHandler, hostType, restEngine } from '@concordat/runtime';
import type { Context } from 'koa';

interface Person { readonly name: string }
declare const operations: Operations<CallContext<Person | undefined>>;
declare const security: Record<SecuritySchemeName, SecurityHandler<Person | undefined>>;
declare const log: (...values: unknown[]) => void;
declare const save: (text: string) => Promise<void>;

/** For every engine: in a library, for example. */
export const neutral: Hooks<unknown> = {
  before: (_request, { operation }) => log(operation.id, operation.tags, operation.method, operation.path),
  after: ({ response, duration }) => ({ ...response, headers: { ...response.headers, 'Server-Timing': \`total;dur=\${duration}\` } }),
};
export const onKoa: Hooks<Person | undefined, Context> = { before: (_request, { host }) => log(host.ip) };

export const engine: RestEngine<Person | undefined, Context> = restEngine({
  contract,
  operations,
  security,
  anonymous: undefined as Person | undefined,
  host: hostType<Context>(),
  report: () => undefined,
  hooks: [
    neutral,
    onKoa,
    { before: ({ path, query, headers, body }) => log(path, query, headers, body) },
    { before: async () => { await save('all'); }, after: async ({ error }) => save(String(error)) },
    {
      before: {
        'tag:users': (_request, { caller }) => log(caller?.name),
        'path:/users/**': (_request, { operation }) => log(operation.path),
        getUser: ({ path }, { host }) => (host.query['no'] === path.id.toUpperCase() ? { status: 404, body: { error: 'no' } } : undefined),
        deleteUser: () => ({ status: 204 }),
        listUsers: async ({ query }) => { await save(String(query.page?.toFixed())); },
      },
      after: {
        createUser: ({ request, answer, response }) => {
          if (answer?.status === 201) log(answer.headers.Location.length, request?.body.name.length, response.status);
        },
        getUser: ({ response }) => response,
      },
    },
  ],
});
`;

const REFUSALS: readonly Refusal[] = [
  {
    what: 'an operation that the contract does not have',
    change: ['deleteUser: ()', 'removeUser: ()'],
    says: /TS2353[^]*'removeUser' does not exist/,
  },
  {
    what: 'a parameter that the operation does not have',
    change: ['path.id.toUpperCase()', 'path.userId'],
    says: /TS2339: Property 'userId' does not exist/,
  },
  {
    what: 'an answer that the operation does not declare',
    change: ["{ status: 404, body: { error: 'no' } }", '{ status: 402 as const }'],
    says: /TS2322[^]*402/,
  },
  {
    what: 'a promise of such an answer',
    change: ['await save(String(query.page?.toFixed()));', 'return { status: 402 as const };'],
    says: /TS2322[^]*402/,
  },
  {
    what: 'a request that may have been refused',
    change: ['request?.body', 'request.body'],
    says: /TS18048: 'request' is possibly 'undefined'/,
  },
  {
    what: 'an answer of the handler as a response',
    change: ['getUser: ({ response }) => response', 'getUser: ({ answer }) => answer'],
    says: /TS2322/,
  },
  {
    what: 'a part of the caller that it does not have',
    change: ['caller?.name', 'caller?.mail'],
    says: /TS2339: Property 'mail' does not exist/,
  },
  {
    what: 'hooks of another host',
    change: ['hostType<Context>()', 'hostType<Request>()'],
    says: /TS2322[^]*Request/,
  },
  {
    what: 'hooks of another caller',
    change: ['Hooks<Person | undefined, Context>', 'Hooks<string, Context>'],
    says: /TS2375[^]*'Hooks<string, /,
  },
  {
    what: 'a value that is no answer',
    change: ['=> log(path, query, headers, body)', '=> 7'],
    says: /TS2322[^]*'number' is not assignable/,
  },
];

export const hooks: Programs = { title: 'hooks', program: PROGRAM, refusals: REFUSALS };
