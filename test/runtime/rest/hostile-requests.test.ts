/** For any request, the engine of our own contract answers: it never throws, and never rejects. */
import { expect } from 'chai';
import fc from 'fast-check';
import * as responseChecks from '../../../generated/response-validators.js';
import { contract } from '../../../generated/routing.js';
import { requestOf } from './one-operation.js';
import type { HttpResponse } from '../../../src/runtime/http/message.js';
import { restEngine } from '../../../src/runtime/rest/rest-engine.js';
import { Problem } from '../../../src/runtime/http/problem.js';
import { runs, triesMuch } from '../../support/budget.js';

const reported: unknown[] = [];

/** Every handler shows by a distinct status that it was reached. */
const REACHED = 501;
const reached = (): never => {
  throw new Problem(REACHED, 'reached');
};

const scheme = { missing: 'missing', authenticate: (credential: string) => ({ caller: credential }) };
const ids = Object.keys(contract.operations) as (keyof typeof contract.operations)[];
const engine = restEngine({
  contract,
  operations: Object.fromEntries(ids.map((id) => [id, reached])) as Record<(typeof ids)[number], () => never>,
  security: { bearerAuth: scheme, apiKeyAuth: scheme },
  anonymous: '',
  encoders: { 'application/xml': (value) => JSON.stringify(value) },
  problems: { mediaTypes: ['application/json'], body: ({ message }) => ({ error: message }) },
  // With these checks, the engine's own refusals are held against the contract too. The mark of a handler is not declared.
  checkResponses: responseChecks,
  report: (error) => {
    if (!String(error).includes(`with ${String(REACHED)} `)) reported.push(error);
  },
});

const latin1 = (maxLength: number) =>
  fc.uint8Array({ maxLength }).map((bytes) => Buffer.from(bytes).toString('latin1'));
const templates = ids.map((id) => contract.operations[id].path);
const templatePath = fc
  .tuple(
    fc.constantFrom(...templates),
    fc.oneof(fc.nat().map(String), latin1(20), fc.constantFrom('%ff', '%00', '..')),
  )
  .map(([template, value]) => template.replaceAll(/\{[^}]+\}/g, value));

const names = [
  'page',
  'limit',
  'cursor',
  'envelope',
  'embed',
  'version',
  'role',
  'since',
  'lastId',
  'tokens',
  '__proto__',
];
const values = [
  '',
  '1',
  '-1',
  '1e999',
  'x',
  'true',
  'false',
  'orders',
  '2',
  '%',
  '%ff',
  '%00',
  '+',
  '2026-03-01T08:00:00Z',
];
const pair = fc.tuple(
  fc.constantFrom(...names),
  fc.constantFrom('=', '', '[]=', '%5B'),
  fc.constantFrom(...values),
);
const query = fc.oneof(
  latin1(60),
  fc
    .array(
      pair.map((parts) => parts.join('')),
      { maxLength: 5 },
    )
    .map((pairs) => pairs.join('&')),
);

const headerNames = [
  'accept',
  'authorization',
  'x-api-key',
  'x-api-version',
  'if-match',
  'if-none-match',
  'content-type',
  'content-length',
  'content-encoding',
  'transfer-encoding',
  'cookie',
  'constructor',
];
const headerValue = fc.oneof(
  latin1(60),
  fc.constantFrom(
    'application/json',
    'application/xml',
    '*/*',
    'Bearer x',
    'gzip',
    '5',
    '0',
    'chunked',
    '"1"',
    'W/"1"',
    '1',
    '2',
  ),
  fc.array(latin1(10), { maxLength: 3 }),
);
const headers = fc.dictionary(fc.constantFrom(...headerNames), headerValue, { maxKeys: 6 });

const body = fc.oneof(
  fc.uint8Array({ maxLength: 100 }),
  fc.json().map((text) => Buffer.from(text)),
  fc
    .constantFrom('{"name":"Ada","email":"ada@example.com"}', '{"items":[{"productId":"1","quantity":1}]}')
    .map((text) => Buffer.from(text)),
);

const request = fc.record({
  method: fc.oneof(fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'), latin1(5)),
  path: fc.oneof(
    templatePath,
    latin1(60),
    latin1(60).map((text) => `/${text}`),
  ),
  query,
  headers,
  body,
});

function expectAnswer(response: HttpResponse): void {
  expect(response.status).to.be.within(200, 599);
  expect(response.status).to.not.equal(500);
  for (const value of Object.values(response.headers)) expect(String(value)).to.not.match(/[\r\n\0]/);
  if (response.status === 204) expect(response.body).to.equal(undefined);
  else expect(JSON.parse(response.body as string)).to.have.all.keys('error');
}

describe('hostile requests to the engine', () => {
  it('are answered, and nothing has to be masked', async () => {
    const statuses = new Set<number>();
    const operations = new Set<string>();
    await fc.assert(
      fc.asyncProperty(request, async ({ body: bytes, ...fields }) => {
        const whole = requestOf({ ...fields, readBody: () => Promise.resolve(bytes) });
        const response = await engine(whole);
        expect(reported.splice(0)).to.deep.equal([]);
        expectAnswer(response);
        statuses.add(response.status);
        if (response.status === REACHED)
          operations.add(engine.findPath(fields.path)?.targets.get(fields.method)?.id ?? '');
      }),
      { numRuns: runs(20_000) },
    );
    // The requests are of all kinds, or this says little.
    expect([...statuses]).to.include.members([204, 400, 401, 404, 405, 406, 415, REACHED]);
    expect(operations.size).to.be.above(triesMuch ? 20 : 10);
  });

  it('whose bodies cannot be read are answered too', async () => {
    const unreadable = {
      method: 'POST',
      path: '/api/users',
      headers: { 'content-type': 'application/json', 'content-length': '5' },
    };
    const failures = [new Error('ECONNRESET'), new TypeError('secret'), new Problem(413, 'Too large')];
    for (const failure of failures) {
      const throwing = (): never => {
        throw failure;
      };
      for (const readBody of [() => Promise.reject(failure), throwing]) {
        const response = await engine(requestOf({ ...unreadable, readBody }));
        expect(response.status).to.equal(failure instanceof Problem ? 413 : 500);
        expect(response.body as string).to.not.match(/ECONNRESET|secret/);
      }
    }
    expect(reported.splice(0)).to.have.length(4);
  });
});
