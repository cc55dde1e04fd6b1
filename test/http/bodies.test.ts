/** Request bodies apart from their fields: the size, the media type and the JSON. */
import { expect } from 'chai';
import type { HttpRequest } from '../support/send.js';
import { type ServiceAnswer, useService } from '../support/service.js';
import { createUser, expectError, expectErrorAbout, userInput } from './user-requests.js';

const MEBIBYTE = 1024 * 1024;
const JSON_TYPE = { 'content-type': 'application/json' };

/** JSON of exactly this many bytes. */
function jsonOf(bytes: number): string {
  return JSON.stringify(userInput()).padEnd(bytes, ' ');
}

/** The same in pieces, which are sent chunked. */
function inPieces(text: string): string[] {
  return text.match(/[^]{1,65536}/g) ?? [];
}

describe('request bodies', () => {
  const service = useService();
  const post = (
    body: HttpRequest['body'],
    headers: HttpRequest['headers'] = JSON_TYPE,
  ): Promise<ServiceAnswer> =>
    service.send({ method: 'POST', path: '/api/users', headers, ...(body !== undefined && { body }) });

  describe('size', () => {
    it('may be 1 MiB', async () => {
      expect((await post(jsonOf(MEBIBYTE))).status).to.equal(201);
      expect((await post(inPieces(jsonOf(MEBIBYTE)))).status).to.equal(201);
    });

    it('may not be a byte more, with or without Content-Length', async () => {
      for (const body of [jsonOf(MEBIBYTE + 1), inPieces(jsonOf(MEBIBYTE + 1))]) {
        expectErrorAbout(await post(body), 413, '1048576');
      }
    });

    it('may not be much more either, and the connection still serves the next request', async () => {
      for (const body of [jsonOf(5 * MEBIBYTE), inPieces(jsonOf(5 * MEBIBYTE))]) {
        expect((await post(body)).status).to.equal(413);
        expect((await service.get('/api/users')).status).to.equal(200);
      }
    });

    it('is checked for PUT too, and the record is unchanged', async () => {
      const user = await createUser(service);
      const path = `/api/users/${user.id}`;
      const tooLarge = { method: 'PUT', path, headers: JSON_TYPE, body: jsonOf(MEBIBYTE + 1) };
      expect((await service.send(tooLarge)).status).to.equal(413);
      expect((await service.get(path)).body).to.deep.equal(user);
    });

    it('does not matter for an operation without a body', async () => {
      const path = '/api/users';
      const headers = { 'content-type': 'text/plain' };
      const answer = await service.send({ method: 'GET', path, headers, body: 'x'.repeat(MEBIBYTE + 1) });
      expect(answer.status).to.equal(200);
    });
  });

  describe('media type', () => {
    for (const type of [
      'application/json',
      'Application/JSON',
      'application/json; charset=utf-8',
      'application/json;charset="UTF-8"',
    ]) {
      it(`may be ${type}`, async () => {
        expect((await post(jsonOf(1), { 'content-type': type })).status).to.equal(201);
      });
    }

    for (const type of [
      'text/plain',
      'application/xml',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonx',
      'application',
      'json',
      '',
      'application/json; charset=iso-8859-1',
      'application/json; charset=utf-16',
    ]) {
      it(`may not be ${JSON.stringify(type)}`, async () => {
        const answer = await post(jsonOf(1), { 'content-type': type });
        expect(answer.status, answer.text).to.equal(415);
      });
    }

    it('must be given as JSON, else the error says so', async () => {
      expectErrorAbout(await post(jsonOf(1), {}), 415, 'application/json');
      expectErrorAbout(await post(jsonOf(1), { 'content-type': 'text/plain' }), 415, 'application/json');
    });

    it('must not be compressed', async () => {
      for (const coding of ['gzip', 'br', 'identity, gzip', 'GZIP']) {
        const answer = await post(jsonOf(1), { ...JSON_TYPE, 'content-encoding': coding });
        expect([answer.status, answer.headers['accept-encoding']]).to.deep.equal([415, 'identity']);
      }
      for (const coding of ['identity', 'Identity']) {
        expect((await post(jsonOf(1), { ...JSON_TYPE, 'content-encoding': coding })).status).to.equal(201);
      }
    });
  });

  describe('JSON', () => {
    const malformed: readonly (readonly [what: string, body: string | Uint8Array])[] = [
      ['half an object', '{"name":"Ada"'],
      ['a word', 'secret'],
      ['single quotes', "{'name':'Ada'}"],
      ['two values', '{}{}'],
      ['a trailing comma', '{"name":"Ada",}'],
      ['a comment', '{} // ok'],
      ['NaN', '{"name":NaN}'],
      ['a line break in a text', '{"name":"A\nda"}'],
      ['only blanks', '   '],
      ['half a character', Buffer.from('{"name":"é"}').subarray(0, 10)],
      ['bytes that are no UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x7d])],
      ['UTF-16', Buffer.from('{"name":"Ada"}', 'utf16le')],
    ];
    for (const [what, body] of malformed) {
      it(`is malformed with ${what}, and the error does not quote it`, async () => {
        const answer = await post(body);
        expectErrorAbout(answer, 400, 'body');
        expect(answer.text).to.not.include('Ada').and.not.include('secret');
      });
    }

    it('is reported as malformed, also to a client that accepts XML', async () => {
      expectError(await post('{'), 400, 'body must be valid JSON');
      const { text } = await post('{', { ...JSON_TYPE, accept: 'application/xml' });
      expect(text).to.include('<error>body must be valid JSON</error>');
    });

    it('is refused without harm when it is nested very deeply', async () => {
      for (const body of [
        '['.repeat(500_000),
        `${'['.repeat(400_000)}${']'.repeat(400_000)}`,
        '{"a":'.repeat(150_000),
      ]) {
        expect((await post(body)).status).to.equal(400);
      }
    });

    it('may contain numbers of any size', async () => {
      expectErrorAbout(await post('{"name":1e999,"email":"a@example.com"}'), 400, 'body/name');
    });
  });

  describe('absence', () => {
    it('is required', async () => {
      for (const headers of [JSON_TYPE, {}, { ...JSON_TYPE, 'content-length': '0' }]) {
        expectErrorAbout(
          await post(undefined, { 'content-length': '0', ...headers }),
          400,
          'body',
          'required',
        );
      }
    });

    it('is required when it is chunked and empty', async () => {
      const headers = { ...JSON_TYPE, 'transfer-encoding': 'chunked' };
      expectErrorAbout(await post(undefined, headers), 400, 'body');
    });
  });

  it('may arrive in pieces', async () => {
    const bytes = Buffer.from(JSON.stringify(userInput({ name: 'Zoë 𝔏' })));
    const answer = await post(Array.from(bytes, (byte) => Uint8Array.of(byte)));
    expect(answer.status).to.equal(201);
    expect((answer.body as { name: string }).name).to.equal('Zoë 𝔏');
  });
});
