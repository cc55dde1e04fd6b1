/** `concordat verify` sends forms that are read part by part, and bodies of items, as their media types ask for. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { verifyDocument } from './verify-document.js';

const entry = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } };
const event = {
  type: 'object',
  required: ['data'],
  properties: { data: { type: 'string', contentMediaType: 'application/json', contentSchema: entry } },
};
const form = {
  type: 'object',
  required: ['title', 'photo'],
  properties: {
    title: { type: 'string', minLength: 2 },
    photo: { type: 'string', contentMediaType: 'image/png' },
  },
};
const takes = (content: object, more: object = {}): object => ({
  post: {
    ...more,
    requestBody: { required: true, content },
    responses: {
      204: { description: 'Taken' },
      400: { description: 'Refused' },
      415: { description: 'Refused' },
    },
  },
});
const document = {
  openapi: '3.2.0',
  info: { title: 'Bodies', version: '1' },
  paths: {
    '/form': takes({ 'multipart/form-data': { schema: form } }, { 'x-stream': true }),
    '/lines': takes({ 'application/jsonl': { itemSchema: entry } }),
    '/records': takes({ 'application/json-seq': { itemSchema: entry } }),
    '/events': takes({ 'text/event-stream': { itemSchema: event } }),
    '/parts': takes({ 'multipart/mixed': { itemSchema: entry } }),
    // Its items have no schema of their own, so that an encoder of the service writes the whole.
    '/told': {
      get: {
        responses: { 200: { description: 'Events', content: { 'text/event-stream': { schema: entry } } } },
      },
    },
  },
};

function isEntry(json: string | undefined): boolean {
  try {
    const value = JSON.parse(json ?? '') as { readonly n?: unknown } | null;
    return typeof value === 'object' && value !== null && !Array.isArray(value) && Number.isInteger(value.n);
  } catch {
    return false;
  }
}

/** The contents of parts by their headers; none where the boundary is not that of the header. */
function partsOf(body: string, type: string): readonly (readonly [headers: string, content: string])[] {
  const [, boundary] = /boundary=(\S+)/.exec(type) ?? [];
  if (boundary === undefined || !body.endsWith(`--${boundary}--\r\n`)) return [];
  const pieces = body.split(`--${boundary}`).slice(1, -1);
  return pieces.map((piece) => {
    const [headers = '', content = ''] = piece.replace(/^\r\n|\r\n$/g, '').split('\r\n\r\n');
    return [headers, content] as const;
  });
}

/** Whether a body is what the contract asks for, as far as the requests of a run differ. */
const READERS: Readonly<Record<string, (body: string, type: string) => boolean>> = {
  '/form': (body, type) => {
    const parts = partsOf(body, type);
    const named = (name: string) => parts.filter(([headers]) => headers.includes(`name="${name}"`));
    const [title, ...others] = named('title').map(([, content]) => content);
    const isPhoto =
      named('photo').length === 1 &&
      named('photo').every(([headers]) => /filename=.*image\/png/s.test(headers));
    return isPhoto && title !== undefined && Array.from(title).length >= 2 && others.length === 0;
  },
  '/lines': (body) =>
    body
      .split('\n')
      .filter((line) => line.trim() !== '')
      .every(isEntry),
  '/records': (body) =>
    body.split('\u001e').slice(1).every(isEntry) && ['', '\u001e'].includes(body.charAt(0)),
  '/events': (body) =>
    body
      .split('\n')
      .filter((line) => line.startsWith('data:'))
      .every((line) => isEntry(line.slice(5))),
  '/parts': (body, type) => {
    const parts = partsOf(body, type);
    return parts.length > 0 && parts.every(([, content]) => isEntry(content));
  },
};

describe('verify: bodies that are sent', () => {
  const taken = new Map<string, number>();
  const without = new Set<string>();

  async function statusOf(request: IncomingMessage): Promise<number> {
    const { url = '', method, headers } = request;
    const read = READERS[url];
    if (read === undefined || method !== 'POST') return 405;
    const body = await text(request);
    const type = headers['content-type'] ?? '';
    if (!type.startsWith(Object.keys(contentOf(url))[0] ?? '')) return 415;
    if (type.startsWith('multipart/') && !type.includes('boundary=')) without.add(url);
    if (!read(body, type)) return 400;
    taken.set(url, (taken.get(url) ?? 0) + 1);
    return 204;
  }

  const contentOf = (url: string): object => {
    const paths: Readonly<Record<string, unknown>> = document.paths;
    return (paths[url] as { readonly post: { readonly requestBody: { readonly content: object } } }).post
      .requestBody.content;
  };

  function answer(request: IncomingMessage, response: ServerResponse): void {
    if (request.url === '/told' && request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: {"n":1}\n\n');
      return;
    }
    void statusOf(request).then((status) => {
      response
        .writeHead(status, { ...(status === 405 && { allow: request.url === '/told' ? 'GET' : 'POST' }) })
        .end();
    });
  }

  it('are taken by a server that reads them, and refused where one thing about them is wrong', async () => {
    const { violations, operations } = await verifyDocument(document, answer, { requests: 2000 });
    expect(
      violations.map(({ rule, operation, about, message }) => [rule, operation, about, message]),
    ).to.deep.equal([]);
    expect([...without]).to.deep.equal([]);
    expect(operations.filter(({ successes }) => successes === 0)).to.deep.equal([]);
    expect([...taken.keys()].sort()).to.deep.equal(Object.keys(READERS).sort());
  });
});
