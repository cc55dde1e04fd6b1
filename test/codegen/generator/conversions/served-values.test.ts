/** Tests the types that a team gives to values with a format, with requests to a generated contract. */

import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { after, before } from 'mocha';
import type { ValueTypes } from 'concordat';
import { memoryRequest } from '@concordat/runtime';
import type { DecodedRequest, RestEngine } from '@concordat/runtime';
import { generateContract, removeDirectory, temporaryPackage } from '../../generated-contract.js';
import { untypedBridge } from '../../../runtime/bridge/people.js';
import { complaints } from '../../strict-compiler.js';

const fixtures = fileURLToPath(new URL('../../../fixtures/values/', import.meta.url));

export const values: ValueTypes = {
  'date-time': 'Date',
  date: 'Date',
  int64: 'bigint',
  byte: 'Uint8Array',
  decimal: { type: 'Money', from: './money.js', decode: 'readMoney', encode: 'writeMoney' },
};

const moment = '2024-02-29T12:30:00.250Z';
const largest = 9223372036854775807n;

for (const through of ['an engine', 'a bridge'])
  describe(`values with types of their own, through ${through}`, () => {
    let directory = '';
    let engine: RestEngine<string>;
    let Money: new (cents: number) => { readonly cents: number };
    let given: DecodedRequest | undefined;
    let failure: string | undefined;
    let answer: (request: DecodedRequest) => unknown = () => ({ status: 204 });

    before(async () => {
      directory = await temporaryPackage();
      await copyFile(join(fixtures, 'money.ts'), join(directory, 'money.ts'));
      const { contract, start } = await generateContract(directory, {
        openapi: join(fixtures, 'openapi.yaml'),
        values,
      });
      ({ Money } = (await import(pathToFileURL(join(directory, 'money.ts')).href)) as {
        Money: typeof Money;
      });
      const handler = (request: DecodedRequest): unknown => {
        given = request;
        return answer(request);
      };
      const started = start({
        operations: Object.fromEntries(Object.keys(contract.operations).map((id) => [id, handler])),
        report: (error) => {
          failure = String(error);
        },
      });
      // Both versions are the same: each value is converted, checked and converted back once more.
      engine = through === 'a bridge' ? untypedBridge({ from: contract, to: started, convert: {} }) : started;
    });

    after(() => removeDirectory(directory));

    async function send(
      line: string,
      body: string | FormData | URLSearchParams = '',
      headers: Readonly<Record<string, string>> = {},
    ): Promise<{ readonly status: number; readonly text: string; readonly headers: object }> {
      const [method = '', target = ''] = line.split(' ');
      const [path = '', query = ''] = target.split('?');
      const carrier = new Response(body);
      const contentType =
        typeof body === 'string' ? 'application/json' : (carrier.headers.get('content-type') ?? '');
      const bytes = new Uint8Array(await carrier.arrayBuffer());
      given = undefined;
      failure = undefined;
      const response = await engine(
        memoryRequest({
          method,
          path,
          query,
          headers: { 'content-type': contentType, 'content-length': String(bytes.length), ...headers },
          body: bytes,
        }),
      );
      return {
        status: response.status,
        text: typeof response.body === 'string' ? response.body : '',
        headers: response.headers,
      };
    }

    const headers = { 'Last-Modified-At': new Date(moment) };
    const room = { id: 7, openedAt: moment, price: '12.30' };
    const echo = ({ body }: DecodedRequest) => ({ status: 200, headers, body });

    it('are what a handler gets of parameters', async () => {
      answer = () => ({ status: 409, body: { at: new Date(moment) } });
      const { status, text } = await send(
        `PUT /rooms/${String(largest)}?days=2024-01-02&days=2024-01-03&filter[after]=${moment}`,
        JSON.stringify(room),
        { 'x-price': '1.50', cookie: `seen=${moment}` },
      );
      expect([status, JSON.parse(text)]).to.deep.equal([409, { at: moment }]);
      expect(given).to.deep.include({
        path: { id: largest },
        query: {
          since: new Date('2020-01-01T00:00:00Z'),
          days: [new Date('2024-01-02'), new Date('2024-01-03')],
          filter: { after: new Date(moment) },
        },
        headers: { 'X-Price': new Money(150) },
        cookies: { seen: new Date(moment) },
      });
    });

    it('are what a handler gets and answers of bodies, at any depth', async () => {
      answer = echo;
      const sent = {
        ...room,
        code: '9007199254740993',
        closedAt: null,
        picture: 'AAEC/w==',
        days: ['2024-01-02'],
        visits: { constructor: moment, ['__proto__']: moment },
        span: [moment, moment, 'text'],
        parent: { ...room, id: 8 },
        parts: [{ ...room, parts: [{ ...room, closedAt: moment }] }],
        status: '2020-01-01T00:00:00Z',
        changedAt: moment,
      };
      const text = JSON.stringify(sent).replace('"visits":{', `"visits":{"__proto__":"${moment}",`);
      const answered = await send('PUT /rooms/1', text);
      expect(failure).to.equal(undefined);
      expect(answered.status).to.equal(200);
      const withDefaults = (one: object): object => ({ changedAt: '2021-01-01T00:00:00.000Z', ...one });
      expect(JSON.parse(answered.text)).to.deep.equal({
        ...(JSON.parse(text) as object),
        parent: withDefaults({ ...room, id: 8 }),
        parts: [withDefaults({ ...room, parts: [withDefaults({ ...room, closedAt: moment })] })],
      });
      expect(answered.headers).to.include({ 'Last-Modified-At': moment });
      expect(given?.body).to.deep.include({
        id: 7n,
        code: 9007199254740993n,
        openedAt: new Date(moment),
        closedAt: null,
        price: new Money(1230),
        picture: new Uint8Array([0, 1, 2, 255]),
        days: [new Date('2024-01-02')],
        span: [new Date(moment), new Date(moment), 'text'],
        status: '2020-01-01T00:00:00Z',
      });
    });

    for (const id of [largest, -largest - 1n, 9007199254740993n, 9007199254740991n, 0n]) {
      it(`keep the digits of ${String(id)}`, async () => {
        answer = ({ body }) => ({ status: 200, headers: { ...headers, 'X-Size': id }, body });
        const text = JSON.stringify({ ...room, parts: [{ ...room, price: '"9007199254740993"' }] });
        const sent = text.replaceAll('7,', `${String(id)},`).replace('\\"9007199254740993\\"', '1.00');
        const answered = await send(`PUT /rooms/${String(id)}`, sent);
        expect(failure).to.equal(undefined);
        expect(given?.path).to.deep.equal({ id });
        expect(answered.text)
          .to.include(`"id":${String(id)},`)
          .and.to.match(new RegExp(`"parts":\\[\\{"id":${String(id)},`));
        expect(answered.headers).to.include({ 'X-Size': String(id) });
      });
    }

    for (const [what, line, body, problem] of [
      ['an integer beyond 64 bits', 'PUT /rooms/1', { id: '9223372036854775808' }, /^body\/id must/],
      [
        'an integer below 64 bits',
        'PUT /rooms/1',
        { id: '-9223372036854775809' },
        /^body\/id must be an integer from/,
      ],
      ['an integer of many digits', 'PUT /rooms/1', { id: '1'.repeat(100) }, /^body\/id must/],
      ['a path beyond 64 bits', 'PUT /rooms/9223372036854775808', { id: '1' }, /^path\/id must/],
      [
        'text that no type is made of',
        'PUT /rooms/1',
        { id: '1', price: '"99999999.00"' },
        /^body\/price must be a valid Money$/,
      ],
      [
        'such text deep inside',
        'PUT /rooms/1',
        { id: '1', parts: '[{"id":1,"openedAt":"2024-01-01T00:00:00Z","price":"99999999.00"}]' },
        /^body\/parts\/0\/price must be a valid Money$/,
      ],
      [
        'digits that are none',
        'PUT /rooms/1',
        { id: '1', code: '"x"' },
        /^body\/code must match format "int64"$/,
      ],
    ] as const) {
      it(`refuse ${what}`, async () => {
        answer = echo;
        const members = { openedAt: `"${moment}"`, price: '"1.00"', ...body };
        const text = Object.entries(members)
          .map(([name, value]) => `"${name}":${value}`)
          .join(',');
        const answered = await send(line, `{${text}}`);
        expect(answered.status).to.equal(400);
        expect((JSON.parse(answered.text) as { detail: string }).detail).to.match(problem);
        expect(given).to.equal(undefined);
      });
    }

    for (const [what, body, report] of [
      [
        'an invalid Date',
        { openedAt: new Date(NaN) },
        /putRoom answered 200 .*: body\/openedAt Invalid time value/,
      ],
      ['a Date of a far year', { openedAt: new Date(8.64e15) }, /body\/openedAt must be a Date of the years/],
      ['text for a Date', { openedAt: moment }, /body\/openedAt must be a Date$/],
      ['a bigint beyond 64 bits', { id: 2n ** 63n }, /body\/id must be an integer from/],
      [
        'an invalid value deep inside',
        { parts: [{ openedAt: new Date(NaN) }] },
        /body\/parts\/0\/openedAt Invalid/,
      ],
    ] as const) {
      it(`mask the answer of ${what}`, async () => {
        answer = (request) => ({ status: 200, headers, body: { ...(request.body as object), ...body } });
        const answered = await send('PUT /rooms/1', JSON.stringify(room));
        expect(answered.status).to.equal(500);
        expect(failure).to.match(report);
      });
    }

    it('mask the answer of an own type that cannot be written', async () => {
      answer = (request) => ({
        status: 200,
        headers,
        body: { ...(request.body as object), price: new Money(1.5) },
      });
      expect((await send('PUT /rooms/1', JSON.stringify(room))).status).to.equal(500);
      expect(failure).to.match(/body\/price must be whole cents/);
    });

    it('are told apart by a discriminator', async () => {
      answer = echoed;
      for (const event of [
        { kind: 'opened', at: moment },
        { kind: 'renamed', at: moment },
      ]) {
        expect(JSON.parse((await send('POST /events', JSON.stringify(event))).text)).to.deep.equal(event);
        expect((given?.body as { at: unknown }).at).to.deep.equal(
          event.kind === 'opened' ? new Date(moment) : moment,
        );
      }
    });

    it('are told apart by checks, beside the parts of allOf', async () => {
      answer = echoed;
      for (const [sent, decoded] of [
        [{ by: 5 }, { by: 5n }],
        [{ when: moment }, { when: new Date(moment) }],
        [{ when: 'later' }, { when: 'later' }],
        [{ when: null }, { when: null }],
        [{ label: 'a' }, { label: 'a' }],
      ] as const) {
        const meta = { by: 5, when: moment };
        const thing = { made: moment, meta, ...sent };
        expect(JSON.parse((await send('POST /things', JSON.stringify(thing))).text)).to.deep.equal(thing);
        const typed = { by: 5n, when: new Date(moment) };
        expect(given?.body).to.deep.equal({ made: new Date(moment), meta: typed, ...decoded });
      }
      expect(failure).to.equal(undefined);
    });

    it('are the fields of forms, and text bodies', async () => {
      answer = () => ({ status: 200, body: new Date(moment) });
      const fields = new URLSearchParams({ at: moment, size: String(largest) });
      expect((await send('POST /forms', fields)).text).to.equal(moment);
      expect(given?.body).to.deep.equal({ at: new Date(moment), size: largest });
      const form = new FormData();
      form.set('at', moment);
      form.set('file', new File(['x'], 'x.bin'));
      expect((await send('POST /forms', form)).status).to.equal(200);
      expect(given?.body).to.have.property('at').that.deep.equals(new Date(moment));
      expect(given?.body).to.have.property('file').that.is.instanceOf(File);
      await send('POST /forms', moment, { 'content-type': 'text/plain' });
      expect(given?.body).to.deep.equal(new Date(moment));
    });

    it('give milliseconds in UTC, and the second after a leap second', async () => {
      answer = () => ({ status: 200, body: given?.body });
      for (const [sent, answered] of [
        ['2024-01-01T00:00:00+00:00', '2024-01-01T00:00:00.000Z'],
        ['2024-01-01t02:00:00.1234567+02:00', '2024-01-01T00:00:00.123Z'],
        ['1990-12-31T23:59:60Z', '1991-01-01T00:00:00.000Z'],
        ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00.000Z'],
      ] as const) {
        expect((await send('POST /forms', sent, { 'content-type': 'text/plain' })).text).to.equal(answered);
      }
    });

    it('are in a request or a response only, where they are marked so', async () => {
      answer = () => ({ status: 200, body: { madeAt: new Date(moment), bytes: new Uint8Array([1]) } });
      const { text } = await send('POST /marked', JSON.stringify({ sentAt: moment, bytes: null }));
      expect(failure).to.equal(undefined);
      expect(JSON.parse(text)).to.deep.equal({ madeAt: moment, bytes: 'AQ==' });
      expect(given?.body).to.deep.equal({ sentAt: new Date(moment), bytes: null });
    });

    it('compile, and are no other types', async () => {
      const handlers = (id: string, body: string): string => `
import type { Operations } from './operations.js';
import { Money } from './money.js';
export const handler: Operations['${id}'] = (request) => { ${body} };
void Money;
`;
      const marked = (made: string, bytes: string): string =>
        handlers(
          'postMarked',
          `const sent: Date = request.body.sentAt; const price: Money | undefined = request.body.price; void price;
  return { status: 200, body: { madeAt: ${made}, bytes: ${bytes} } };`,
        );
      const programs = {
        'good.ts': marked('new Date(sent.getTime())', 'new Uint8Array(3)'),
        'null.ts': marked('sent', 'null'),
        'text.ts': marked('sent.toISOString()', 'null'),
        'array.ts': marked('sent', '[1, 2]'),
        'number.ts': handlers(
          'putRoom',
          'const id: number = request.path.id; return { status: 409, body: { at: new Date(id) } };',
        ),
        'header.ts': handlers(
          'putRoom',
          "return { status: 200, headers: { 'Last-Modified-At': '' }, body: request.body };",
        ),
      };
      for (const [name, text] of Object.entries(programs)) await writeFile(join(directory, name), text);
      const found = complaints(directory, ['starter.ts', ...Object.keys(programs)]);
      const refusals = [
        /^array\.ts:.* TS2322: [^]*Type 'number\[\]' is .*'Uint8Array/,
        /^header\.ts:.* TS2322: [^]*Type 'string' is not assignable to type 'Date'/,
        /^number\.ts:.* TS2322: Type 'bigint' is not assignable to type 'number'/,
        /^text\.ts:.* TS2322: [^]*Type 'string' is not assignable to type 'Date'/,
      ];
      expect(found).to.have.lengthOf(refusals.length);
      for (const [index, refusal] of refusals.entries()) expect(found[index]).to.match(refusal);
    });
  });

const echoed = ({ body }: DecodedRequest) => ({ status: 200, body });
