/** Tests the handler for streamable HTTP where a client of the SDK does not lead. */

import { expect } from 'chai';
import { type MemoryRequestParts, memoryRequest } from '../../../src/runtime/http/memory-request.js';
import type { HttpRequest } from '../../../src/runtime/http/message.js';
import { type McpHttpOptions, mcpHttp } from '../../../src/runtime/mcp/mcp-http.js';
import { toolTableOf } from '../../support/tool-table.js';

const tools = await toolTableOf({
  openapi: '3.1.0',
  info: { title: 'Things', version: '2' },
  paths: { '/things': { get: { operationId: 'listThings', responses: { '200': { description: 'All.' } } } } },
  components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
});

const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const ask = (params: object = { name: 'listThings' }, method = 'tools/call'): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });

describe('mcpHttp', () => {
  const sent: HttpRequest[] = [];

  async function answerTo(parts: MemoryRequestParts, options: Partial<McpHttpOptions> = {}) {
    const handler = mcpHttp({
      engine: (request) => {
        sent.push(request);
        return { status: 200, headers: { 'Content-Type': 'text/plain' }, body: 'all' };
      },
      tools,
      ...options,
    });
    const request = memoryRequest({
      method: 'POST',
      path: '/mcp',
      body: ask(),
      ...parts,
      headers: { ...headers, ...parts.headers },
    });
    const { status, body, headers: answered } = await handler(request);
    return { status, headers: answered, body: JSON.parse(body as string) as Record<string, unknown> };
  }

  it('answers one message without a session, with the credential and address of its request', async () => {
    const credential = { authorization: 'Bearer t', 'x-key': 'k', cookie: 'a=b' };
    const answer = await answerTo({ headers: { ...credential, 'x-other': '1' }, address: '203.0.113.7' });
    expect(answer.status).to.equal(200);
    expect(answer.body['result']).to.deep.equal({ content: [{ type: 'text', text: 'all' }] });
    expect(sent.at(-1)).to.deep.include({ headers: credential, address: '203.0.113.7' });
  });

  it('answers a message of the latest revision, which says all of itself, and has no subscriptions', async () => {
    const revision = '2026-07-28';
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': revision,
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const latest = (method: string, params: Record<string, unknown>) =>
      answerTo({
        body: ask({ ...params, _meta }, method),
        headers: {
          'mcp-protocol-version': revision,
          'mcp-method': method,
          ...(typeof params['name'] === 'string' && { 'mcp-name': params['name'] }),
        },
      });
    const called = await latest('tools/call', { name: 'listThings' });
    expect(called.status).to.equal(200);
    expect(called.body['result']).to.deep.include({ content: [{ type: 'text', text: 'all' }] });
    const listening = await latest('subscriptions/listen', { notifications: { toolsListChanged: true } });
    expect(listening.body['error']).to.deep.include({ code: -32603, message: 'Subscription limit reached' });
  });

  it('has the one path', () => {
    const options = { engine: () => ({ status: 204, headers: {} }), tools };
    expect(mcpHttp(options).serves?.('POST', '/mcp')).to.equal(true);
    expect(mcpHttp({ ...options, path: '/tools' }).serves?.('POST', '/mcp')).to.equal(false);
  });

  const origin = { origin: 'https://example.com' };
  const refusals: readonly (readonly [
    what: string,
    parts: MemoryRequestParts,
    status: number,
    message: string,
  ])[] = [
    ['a page', { headers: origin }, 403, 'Pages of https://example.com may not call tools'],
    ['another method', { method: 'GET' }, 405, 'Use POST'],
    ['another path', { path: '/mcp/x' }, 404, 'Not found'],
    ['a body that is not JSON', { body: '{' }, 400, 'The body is not JSON'],
    ['several messages', { body: `[${ask()},${ask()}]` }, 400, 'Send one message per request'],
    ['a large body', { body: 'x'.repeat(1_048_577) }, 413, 'The body must not be larger than 1048576 bytes'],
  ];
  for (const [what, parts, status, message] of refusals) {
    it(`refuses ${what}`, async () => {
      const before = sent.length;
      const answer = await answerTo(parts);
      expect(answer.status).to.equal(status);
      expect(answer.body).to.deep.equal({ jsonrpc: '2.0', error: { code: -32000, message }, id: null });
      expect(sent).to.have.length(before);
    });
  }

  it('serves pages whose origin is given', async () => {
    expect((await answerTo({ headers: origin }, { origins: ['https://example.com'] })).status).to.equal(200);
    expect((await answerTo({ headers: origin }, { origins: '*' })).status).to.equal(200);
    expect((await answerTo({ headers: origin }, { origins: ['https://example.org'] })).status).to.equal(403);
  });

  it('ends the call when its client disconnects', async () => {
    const client = new AbortController();
    await answerTo({ signal: client.signal });
    const { signal } = sent.at(-1) ?? expect.fail();
    expect(signal.aborted).to.equal(false);
    client.abort();
    expect(signal.aborted).to.equal(true);
  });
});
