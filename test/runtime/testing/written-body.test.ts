/** Tests that a body is written as the engine reads it. */

import { expect } from 'chai';
import type { RequestBodyContract } from '../../../src/runtime/contract/contract.js';
import { bodyCodecs } from '../../../src/runtime/rest/operation/forms-and-streams.js';
import { compileRequestBody } from '../../../src/runtime/rest/operation/request-body.js';
import { compileWriter } from '../../../src/runtime/client/outgoing-request.js';

const text = { style: 'form', explode: true, value: { type: 'string' } } as const;
const size = { type: 'object', properties: { width: { type: 'integer' } } } as const;
const fields = {
  title: text,
  tags: { style: 'form', explode: true, value: { type: 'array', items: { type: 'string' } } },
  sizes: { style: 'pipeDelimited', explode: false, value: { type: 'array', items: { type: 'integer' } } },
  size: { style: 'deepObject', explode: true, value: size },
  age: { style: 'form', explode: true, value: { type: 'integer' } },
  owner: { style: 'form', explode: true, value: { type: 'json' } },
} as const;
const contract: RequestBodyContract = {
  content: {
    'application/json': { kind: 'json' },
    'text/plain': { kind: 'text' },
    'application/x-www-form-urlencoded': { kind: 'form', fields },
    'multipart/form-data': {
      kind: 'multipart',
      fields: {
        ...fields,
        file: { ...text, value: { type: 'file' } },
        files: { ...text, value: { type: 'array', items: { type: 'file' } } },
      },
    },
    'application/octet-stream': { kind: 'bytes' },
  },
};
const form = {
  title: 'a & b = "ü"',
  tags: ['x,y', 'z'],
  sizes: [1, 2],
  size: { width: 3 },
  age: 7,
  owner: { name: 'Ann' },
};

/** The bytes and the media type of a body. */
async function writtenBody(value: unknown, contentType?: string) {
  const write = compileWriter('add', { method: 'POST', requestBody: contract }, bodyCodecs);
  const { body, headers } = write({ body: value, ...(contentType !== undefined && { contentType }) });
  const carrier = new Response((body ?? null) as string | null);
  return {
    bytes: new Uint8Array(await carrier.arrayBuffer()),
    contentType: headers['content-type'] ?? carrier.headers.get('content-type') ?? '',
  };
}

async function roundTrip(value: unknown, mediaType?: string): Promise<unknown> {
  const { bytes, contentType } = await writtenBody(value, mediaType);
  const codec = compileRequestBody(contract, bodyCodecs).content.get(contentType.split(';')[0] ?? '');
  return await codec?.decode?.(bytes, contentType);
}

describe('the body of a request', () => {
  it('writes the first media type unless another is named', async () => {
    expect(await roundTrip({ a: [null, 'ü'] })).to.deep.equal({ a: [null, 'ü'] });
    expect(await roundTrip('ü', 'text/plain')).to.equal('ü');
  });

  it('writes forms in the styles of their fields', async () => {
    expect(await roundTrip(form, 'application/x-www-form-urlencoded')).to.deep.equal(form);
    expect(await roundTrip(form, 'multipart/form-data')).to.deep.equal(form);
  });

  it('writes dates and large integers as JSON has them', async () => {
    const value = { at: new Date(0), size: 2n ** 60n };
    const { bytes } = await writtenBody(value);
    expect(Buffer.from(bytes).toString()).to.equal(
      '{"at":"1970-01-01T00:00:00.000Z","size":1152921504606846976}',
    );
    const written = await writtenBody(
      { title: new Date(0), age: 2n ** 60n },
      'application/x-www-form-urlencoded',
    );
    expect(Buffer.from(written.bytes).toString()).to.equal(
      'title=1970-01-01T00%3A00%3A00.000Z&age=1152921504606846976',
    );
  });

  it('writes files beside fields', async () => {
    const file = new File(['1'], 'one.txt', { type: 'text/plain' });
    const files = [file, new File(['2'], 'two.txt')];
    const read = (await roundTrip({ age: 7, file, files }, 'multipart/form-data')) as Record<string, unknown>;
    expect(read['age']).to.equal(7);
    const found = read['file'] as File;
    expect([found.name, found.type, await found.text()]).to.deep.equal(['one.txt', 'text/plain', '1']);
    expect((read['files'] as File[]).map(({ name }) => name)).to.deep.equal(['one.txt', 'two.txt']);
  });

  it('writes bytes as they are', async () => {
    const bytes = Uint8Array.of(0, 255);
    expect(await roundTrip(bytes, 'application/octet-stream')).to.deep.equal(bytes);
    expect(await writtenBody('text', 'application/octet-stream').catch(String)).to.include('must be bytes');
  });

  it('refuses a media type that the operation does not take', async () => {
    const refused = await writtenBody({}, 'application/xml').catch(String);
    expect(refused).to.equal('TypeError: add: the contract has no body in application/xml');
  });
});
