/** What the generated signatures refuse to compile, held against the compiler itself under the project's strict settings. */

import type { Programs, Refusal } from './programs.js';

/** A whole program: an engine over the service's contract. */
const PROGRAM = `
import { contract } from '../../../generated/routing.js';
import type { components } from '../../../generated/openapi.js';
import type { Operations, SecuritySchemeName } from '../../../generated/operations.js';
import { type CallContext, type RestEngine, type SecurityHandler, restEngine } from '@concordat/runtime';
import { nodeTransport } from '@concordat/runtime/node';
import { createServer } from 'node:http';

type Context = CallContext<string>;
declare const others: Omit<Operations<Context>, 'getUser' | 'createUser'>;
declare const bearer: SecurityHandler<string>;
declare const user: components['schemas']['User'];

export const operations: Operations<Context> = {
  ...others,
  getUser({ path }, { caller, mediaType }) {
    return { status: 200, headers: { ETag: caller }, contentType: mediaType, body: { ...user, id: path.id } };
  },
  createUser({ body }) {
    return { status: 201, headers: { Location: '/api/users/1' }, body: { ...user, name: body.name } };
  },
};

export const security: Record<SecuritySchemeName, SecurityHandler<string>> = {
  bearerAuth: bearer,
  apiKeyAuth: bearer,
};

export const engine = restEngine({ contract, operations, security, anonymous: 'nobody', report: () => undefined });

/** A part of the contract: the server's next handler serves the other operations. */
export const part: RestEngine<string> = restEngine({
  contract,
  operations: { getUser: operations.getUser, deleteUser: ({ path }) => ({ status: path.id === '1' ? 204 : 404, body: { error: 'no' } }) as never },
  others: 'next',
  security,
  anonymous: 'nobody',
  report: () => undefined,
});
const middleware = nodeTransport(part, { unknownPaths: 'next' });
createServer((request, response) => middleware(request, response, () => response.end()));

/** Without a type, as a newcomer writes it: the caller is a \`Person\`, or undefined. */
interface Person { readonly name: string }
export const inferred: RestEngine<Person | undefined> = restEngine({
  contract,
  security: {
    bearerAuth: { missing: 'a token, please', authenticate: (name: string) => ({ caller: { name } }) },
    apiKeyAuth: { missing: 'a key, please', authenticate: async (name: string) => ({ caller: { name } }) },
  },
  anonymous: undefined,
  operations: {
    ...(operations as unknown as Operations<CallContext<Person | undefined>>),
    getUser: ({ path, headers }, { caller, mediaType }) => ({
      status: 404,
      contentType: mediaType,
      body: { error: path.id + String(headers['If-None-Match']) + String(caller?.name) },
    }),
    deleteUser: () => ({ status: 204 }),
    listUsers: async () => ({ status: 200, headers: { Vary: 'Accept' }, schema: 'UserList', body: [{ ...user, role: 'admin' }] }),
  },
  report: () => undefined,
});
`;

const REFUSALS: readonly Refusal[] = [
  {
    what: 'a handler with a wrong parameter type',
    change: [
      '({ path }, { caller, mediaType }) {',
      '({ path }: { path: { id: number } }, { caller, mediaType }) {',
    ],
    says: /TS2322[^]*'string' is not assignable to type 'number'/,
  },
  {
    what: 'a parameter that the contract does not have',
    change: ['path.id }', 'path.userId }'],
    says: /TS2339: Property 'userId' does not exist/,
  },
  {
    what: 'an undeclared status',
    change: ['{ status: 200, headers', '{ status: 202, headers'],
    says: /TS2322[^]*202/,
  },
  {
    what: 'a missing field in a response',
    change: ['{ ...user, id: path.id }', "{ id: path.id, name: 'Ada' }"],
    says: /TS2322[^]*(?:email|missing the following properties)/,
  },
  {
    what: 'a field of the wrong type in a response',
    change: ['{ ...user, id: path.id }', '{ ...user, id: 1 }'],
    says: /TS2322[^]*'number' is not assignable to type 'string'/,
  },
  {
    what: 'a missing required response header',
    change: ["headers: { Location: '/api/users/1' }", 'headers: {}'],
    says: /TS2322[^]*Location/,
  },
  {
    what: 'a media type that the contract does not have',
    change: ['contentType: mediaType, body', "contentType: 'text/csv', body"],
    says: /TS2322[^]*text\/csv/,
  },
  {
    what: 'a media type that may be none of the contract, in place of the one that the client prefers',
    change: ['contentType: mediaType, body', 'contentType: String(mediaType), body'],
    says: /TS2322[^]*Type 'string' is not assignable to type '"application\/json"/,
  },
  {
    what: 'a media type that the client cannot prefer, in a comparison',
    change: [
      'getUser({ path }, { caller, mediaType }) {\n',
      "getUser({ path }, { caller, mediaType }) {\n    if (mediaType === 'text/csv') throw path;\n",
    ],
    says: /TS2367/,
  },
  {
    what: 'a missing operation',
    change: ['  ...others,\n', ''],
    says: /TS27(?:39|40)[^]*is missing the following properties[^]*Operations/,
  },
  {
    what: 'an extra operation',
    change: ['  ...others,\n', '  ...others,\n  getUsers: others.listUsers,\n'],
    says: /TS2561[^]*'getUsers' does not exist/,
  },
  {
    what: 'an engine without a handler for an operation',
    change: ['restEngine({ contract, operations,', 'restEngine({ contract, operations: others,'],
    says: /TS2322[^]*missing the following properties[^]*: (?:getUser, createUser|createUser, getUser)/,
  },
  {
    what: 'handlers of an engine that were given no type of their own and answer anything',
    change: [
      'restEngine({ contract, operations,',
      'restEngine({ contract, operations: { ...operations, listUsers: () => 42 },',
    ],
    says: /TS2322: Type 'number' is not assignable to type 'ListUsersResponse/,
  },
  {
    what: 'an undeclared status of a handler that was given no type of its own',
    change: [
      'restEngine({ contract, operations,',
      'restEngine({ contract, operations: { ...operations, deleteUser: () => ({ status: 205 }) },',
    ],
    says: /TS2322: Type '205' is not assignable to type/,
  },
  {
    what: 'a parameter that the contract does not have, of a handler that was given no type of its own',
    change: [
      'restEngine({ contract, operations,',
      'restEngine({ contract, operations: { ...operations, getUser: ({ path }, { caller }) => void [caller.length, path.userId] },',
    ],
    says: /TS2339: Property 'userId' does not exist/,
  },
  {
    what: 'a handler of an engine for an operation that the contract does not have',
    change: [
      'restEngine({ contract, operations,',
      'restEngine({ contract, operations: { ...operations, getUsers: operations.listUsers },',
    ],
    says: /TS2561[^]*'getUsers' does not exist/,
  },
  {
    what: 'a part of the handlers without others',
    change: ["  others: 'next',\n", ''],
    says: /TS2322[^]*missing the following properties/,
  },
  {
    what: 'a handler that the contract does not have, in a part of it',
    change: ['operations: { getUser: operations.getUser,', 'operations: { getUsers: operations.getUser,'],
    says: /'getUsers' does not exist/,
  },
  {
    what: 'a parameter that the contract does not have, in a part of it',
    change: ["path.id === '1'", "path.userId === '1'"],
    says: /TS2339: Property 'userId' does not exist/,
  },
  {
    what: 'a part of the contract on a server without a next handler',
    change: [
      'createServer((request, response) => middleware(request, response, () => response.end()));',
      'createServer(middleware);',
    ],
    says: /TS2769|TS2345/,
  },
  {
    what: 'a missing security handler',
    change: ['  apiKeyAuth: bearer,\n', ''],
    says: /TS2741: Property 'apiKeyAuth' is missing/,
  },
  {
    what: 'a security handler for a scheme that the contract does not have',
    change: ['  apiKeyAuth: bearer,\n', '  apiKeyAuth: bearer,\n  cookieAuth: bearer,\n'],
    says: /TS2353[^]*'cookieAuth' does not exist/,
  },
];

export const operations: Programs = {
  title: 'the generated signatures',
  program: PROGRAM,
  refusals: REFUSALS,
};
