/** `concordat verify` does not judge the requests of operations that were recorded, and checks everything else. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { expect } from 'chai';
import { verifyDocument } from './verify-document.js';

const thing = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
const described = (schema: object): object => ({
  description: 'x',
  content: { 'application/json': { schema } },
});

/** Its bodies are those of samples: the server takes other names than texts, and refuses empty ones. */
const documentWith = (mark: object, schema: object): object => ({
  openapi: '3.1.0',
  info: { title: 'Recorded', version: '1' },
  components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'x-key' } } },
  paths: {
    '/things': {
      post: {
        operationId: 'createThing',
        ...mark,
        security: [{ key: [] }],
        requestBody: { required: true, content: { 'application/json': { schema: thing } } },
        responses: { 201: described(schema), 401: described({}), 422: described({}), default: described({}) },
      },
    },
    '/report': {
      get: {
        operationId: 'getReport',
        ...mark,
        security: [],
        responses: {
          200: {
            description: 'x',
            content: { 'application/json': { schema }, 'text/csv': { schema: { type: 'string' } } },
          },
        },
      },
    },
  },
});

describe('concordat verify: recorded operations', () => {
  let asksForKey = true;
  let takesReports = false;

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const send = (status: number, value: unknown): void => {
      response.writeHead(status, {
        'content-type': 'application/json',
        ...(status === 405 && { allow: 'GET' }),
      });
      response.end(JSON.stringify(value));
    };
    if (takesReports && request.url === '/report' && request.method === 'POST') send(201, {});
    else if (request.url === '/report' && request.method === 'GET') send(200, { name: 'x' });
    else if (request.url !== '/things' || request.method !== 'POST') send(405, {});
    else if (asksForKey && request.headers['x-key'] !== 'right') send(401, {});
    else {
      void json(request).then(
        (body) => {
          const { name } = (body ?? {}) as { name?: unknown };
          if (name === '') send(422, {});
          else send(201, { name: 'x' });
        },
        () => send(400, {}),
      );
    }
  }

  /** The rules that are broken, each with its operation. */
  async function broken(mark: object, schema: object = thing): Promise<string[]> {
    const { violations } = await verifyDocument(documentWith(mark, schema), answer, {
      credentials: { key: 'right' },
      requests: 400,
    });
    return [...new Set(violations.map(({ rule, operation }) => `${rule} ${operation}`))].sort();
  }

  it('are judged by their responses', async () => {
    const found = await broken({});
    expect(found.map((each) => each.split(' ')[0])).to.include.members([
      'broken-accepted',
      'valid-refused',
      'wrong-answer',
    ]);
    expect(await broken({ 'x-recorded': true })).to.deep.equal([]);
    const wrong = await broken({ 'x-recorded': true }, { ...thing, required: ['id'] });
    expect(wrong.map((each) => each.split(' ')[0])).to.deep.equal(['wrong-answer', 'wrong-answer']);
  });

  it('show nothing about the other methods of their paths', async () => {
    takesReports = true;
    const [reviewed, recorded] = [await broken({}), await broken({ 'x-recorded': true })];
    takesReports = false;
    expect(reviewed).to.include('broken-accepted GET /report');
    expect(recorded).to.deep.equal([]);
  });

  it('are judged by their credentials', async () => {
    asksForKey = false;
    const found = await broken({ 'x-recorded': true });
    asksForKey = true;
    expect(found.map((each) => each.split(' ')[0])).to.deep.equal(['broken-accepted']);
  });
});
