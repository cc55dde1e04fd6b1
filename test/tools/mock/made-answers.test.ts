/** Answers of a mock whose contract gives no example, or none that fits. */

import type { Server } from 'node:http';
import { expect } from 'chai';
import { mockOf } from './mock-server.js';

describe('an example that is made from a schema', () => {
  const Category = {
    type: 'object',
    properties: {
      name: { type: 'string' },
      above: { $ref: '#/components/schemas/Category' },
      below: { type: 'array', items: { $ref: '#/components/schemas/Category' } },
    },
  };
  const Animal = {
    type: 'object',
    properties: { kind: { type: 'string' } },
    discriminator: { propertyName: 'kind', mapping: { cat: '#/components/schemas/Cat' } },
  };
  const Cat = {
    allOf: [
      { $ref: '#/components/schemas/Animal' },
      { properties: { lives: { type: 'integer', default: 9 } } },
    ],
  };
  const unique = { type: 'array', minItems: 2, uniqueItems: true };
  const rows: readonly (readonly [what: string, schema: object, example: unknown])[] = [
    ['has a value beside null', { type: ['null', 'integer'], minimum: 3 }, 3],
    ['is null where it can be nothing else', { type: 'null' }, null],
    ['is a const', { type: 'string', const: 'book' }, 'book'],
    [
      'is a const of a part',
      {
        allOf: [
          { type: 'object', properties: { kind: { type: 'string' } } },
          { type: 'object', properties: { kind: { const: 'book' } } },
        ],
      },
      { kind: 'book' },
    ],
    ['is the first of the examples', { type: 'string', examples: ['a', 'b'] }, 'a'],
    ['is above an exclusive minimum', { type: 'integer', exclusiveMinimum: 4 }, 5],
    [
      'lacks what is only written',
      {
        type: 'object',
        properties: { id: { type: 'integer' }, secret: { type: 'string', writeOnly: true } },
      },
      { id: 1 },
    ],
    ['has the examples of its properties', { properties: { name: { example: 'Ada' } } }, { name: 'Ada' }],
    [
      'has no example that does not fit',
      { type: 'object', properties: { at: { type: 'string', format: 'date', example: 'today' } } },
      { at: '2026-01-31' },
    ],
    ['fits a pattern', { type: 'string', pattern: '^[A-Z]{2}-\\d{3}$' }, 'AA-111'],
    ['has items that differ', { ...unique, items: { enum: ['red', 'green'] } }, ['red', 'green']],
    ['has items that differ by their kind', { ...unique, items: { type: 'boolean' } }, [true, false]],
    [
      'has items that differ and fit a pattern',
      { ...unique, minItems: 3, items: { type: 'string', pattern: '^(?:0|[1-9]\\d*)$' } },
      ['0', '90', '32'],
    ],
    [
      'has items that differ within bounds',
      { ...unique, items: { type: 'integer', minimum: 0, maximum: 1 } },
      [1, 0],
    ],
    ['has objects that differ', { ...unique, items: { type: 'object' } }, [{}, { key1: 'texb' }]],
    ['is none that a not forbids', { type: 'string', not: { pattern: '^t' } }, ''],
    [
      'is none that one of several nots forbids',
      {
        type: 'object',
        required: ['first', 'rest'],
        properties: {
          first: { type: 'string', not: { pattern: '^t' } },
          rest: { type: 'array', minItems: 1, items: { type: 'integer', not: { const: 1 } } },
        },
      },
      { first: '', rest: [0] },
    ],
    ['fits only one of several schemas', { oneOf: [{ type: 'integer' }, { type: 'number' }] }, 1.5],
    [
      'fits one of open objects alone',
      {
        oneOf: [
          { type: 'object', properties: { a: { type: 'string' } } },
          { type: 'object', properties: { b: { type: 'integer' } } },
        ],
      },
      { a: null },
    ],
    [
      'repeats the group of a pattern',
      { type: 'string', pattern: '^(?<q>["\']|--)[a-z]+\\k<q>(.)\\2$' },
      '"a"aa',
    ],
    ['has the look-ahead of a pattern', { type: 'string', pattern: '^(?=.*[A-Z])(?=.*\\d).{3,}$' }, 'A11'],
    [
      'names its properties as it must',
      { type: 'object', minProperties: 1, propertyNames: { pattern: '^[A-Z]+$' } },
      { A: 'text' },
    ],
    [
      'names its schema where a discriminator asks for it',
      { $ref: '#/components/schemas/Cat' },
      { kind: 'cat', lives: 9 },
    ],
    [
      'ends where a schema holds itself',
      { $ref: '#/components/schemas/Category' },
      { name: 'Example', below: [] },
    ],
    [
      'looks like what its names say, unless its schema says more',
      {
        type: 'object',
        properties: {
          unitPrice: { type: 'number' },
          amount: { type: 'integer', minimum: 1000 },
          delivery_city: { type: 'string' },
          imageUrls: { type: 'array', items: { type: 'string' }, minItems: 2, uniqueItems: true },
          created_at: { type: 'string', format: 'date' },
          Currency: { type: 'string', pattern: '^U' },
          price: { type: 'string', maxLength: 2 },
          constructor: { type: 'string' },
        },
      },
      {
        unitPrice: 9.99,
        amount: 1000,
        delivery_city: 'London',
        imageUrls: ['https://example.com/image.png', 'https://example.com/image.png?2'],
        created_at: '2026-01-31',
        Currency: 'USD',
        price: 'te',
        constructor: 'text',
      },
    ],
  ];
  const responseOf = ([, schema]: (typeof rows)[number]) => ({
    description: 'x',
    content: {
      'application/json': { schema: { type: 'object', required: ['value'], properties: { value: schema } } },
    },
  });
  const contract = {
    openapi: '3.1.0',
    info: { title: 'Made', version: '1' },
    paths: Object.fromEntries(
      rows.map((row, index) => [`/${String(index)}`, { get: { responses: { 200: responseOf(row) } } }]),
    ),
    components: { schemas: { Category, Animal, Cat } },
  };
  let server: Server;
  let url = '';

  before(async () => {
    [server, url] = await mockOf(contract);
  });

  after(() => server.close());

  for (const [index, [what, , example]] of rows.entries()) {
    it(what, async () => {
      const answer = await fetch(`${url}/${String(index)}`);
      expect(await answer.json()).to.deep.equal({ value: example });
    });
  }
});

describe('concordat mock, of responses that say little of themselves', () => {
  const content = { 'application/json': { schema: { type: 'string' }, example: 7 } };
  const headers = {
    'X-Total': { required: true, schema: { type: 'integer', minimum: 3 } },
    'X-Shown': { schema: { type: 'string' }, example: 'shown' },
    'X-Other': { schema: { type: 'string' } },
    // No header can hold these.
    'X-Nested': { schema: { type: 'object' }, example: { a: [null] } },
    'X-Far': { schema: { type: 'string' }, example: '日本' },
  };
  const nested = { 'X-Nested': { required: true, schema: { const: { a: [null] } } } };
  const contract = {
    openapi: '3.1.0',
    info: { title: 'Terse', version: '1' },
    paths: {
      '/range': { get: { responses: { 200: json(1), '2XX': { description: 'x', content: text('b') } } } },
      '/only-range': { get: { responses: { '2XX': { description: 'x', content: text('c') } } } },
      '/default': { get: { responses: { default: { description: 'x', headers, content } } } },
      '/never': { get: { responses: { 200: { description: 'x', content: never() } } } },
      '/nested': { get: { responses: { 200: { description: 'x', headers: nested } } } },
      '/nothing': { get: {} },
      '/problems': {
        get: {
          responses: { 200: json(1), 404: problem(), '5XX': problem({ status: 418, title: 'Teapot' }) },
        },
      },
      '/bytes': { get: { responses: { 200: { description: 'x', content: { 'image/*': {} } } } } },
      '/named': {
        get: {
          responses: {
            200: {
              description: 'x',
              content: { 'application/json': { examples: { one: { value: 1 }, none: { value: null } } } },
            },
          },
        },
      },
    },
  };
  let server: Server;
  let url = '';

  before(async () => {
    [server, url] = await mockOf(contract);
  });

  after(() => server.close());

  function text(example: string): object {
    return { 'text/plain': { example } };
  }
  function json(example: unknown): object {
    return { description: 'x', content: { 'application/json': { example } } };
  }
  function problem(example?: object): object {
    const schema = {
      type: 'object',
      required: ['title', 'status'],
      properties: { title: { type: 'string' }, status: { type: 'integer' }, detail: { type: 'string' } },
    };
    return {
      description: 'x',
      content: { 'application/problem+json': { schema, ...(example && { example }) } },
    };
  }
  function never(): object {
    return { 'application/json': { schema: { type: 'string', minLength: 2, maxLength: 1 } } };
  }

  it('gives a range and default a status that nothing else describes', async () => {
    expect((await fetch(`${url}/range`)).status).to.equal(200);
    const other = await fetch(`${url}/range`, { headers: { accept: 'text/plain' } });
    expect([other.status, await other.text()]).to.deep.equal([201, 'b']);
    expect((await fetch(`${url}/only-range`)).status).to.equal(200);
    expect((await fetch(`${url}/default`)).status).to.equal(200);
  });

  it('has the required headers and those with an example, and no example against its schema', async () => {
    const answer = await fetch(`${url}/default`);
    const names = ['x-total', 'x-shown', 'x-other', 'x-nested', 'x-far'];
    expect(names.map((name) => answer.headers.get(name))).to.deep.equal(['3', 'shown', null, null, null]);
    expect((await fetch(`${url}/nested`)).status).to.equal(501);
    expect(await answer.json()).to.equal('text');
  });

  it('answers an example by its name, even null', async () => {
    const named = (name: string) => fetch(`${url}/named`, { headers: { prefer: `example=${name}` } });
    expect(await (await named('none')).json()).to.equal(null);
    expect((await named('two')).status).to.equal(406);
  });

  it('sends bytes of a media type within a range', async () => {
    const answer = await fetch(`${url}/bytes`);
    expect(answer.headers.get('content-type')).to.equal('image/png');
    expect((await answer.arrayBuffer()).byteLength).to.be.greaterThan(0);
  });

  it('answers an operation without responses with 501', async () => {
    const answer = await fetch(`${url}/nothing`);
    expect(answer.status).to.equal(501);
    expect(await answer.json()).to.deep.include({
      status: 501,
      title: 'Not Implemented',
      detail: 'The contract declares no response of this operation',
    });
  });

  for (const [status, title] of [
    [404, 'Not Found'],
    [503, 'Service Unavailable'],
  ] as const) {
    it(`gives the problem of a ${String(status)} its status and title`, async () => {
      const answer = await fetch(`${url}/problems`, { headers: { prefer: `code=${String(status)}` } });
      expect(answer.status).to.equal(status);
      expect(await answer.json()).to.deep.include({ status, title });
    });
  }

  it('says where no value can be made', async () => {
    const answer = await fetch(`${url}/never`);
    expect(answer.status).to.equal(501);
    expect(await answer.text()).to.include('No example of the contract fits a body of application/json');
  });
});
