/** Tests how operations of a document become tools, and how calls become requests. */

import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { HttpRequest, HttpResponse } from '../../../src/runtime/http/message.js';
import { ContractTools, type McpOptions } from '../../../src/runtime/mcp/contract-tools.js';
import { toolTableOf } from '../../support/tool-table.js';

const ajv = new Ajv2020({ strict: false, logger: false });

const json = (schema: unknown) => ({ content: { 'application/json': { schema } } });
const found = (schema: unknown) => ({ responses: { '200': { description: 'It.', ...json(schema) } } });

const THING = {
  type: 'object',
  xml: { name: 'thing' },
  required: ['size'],
  properties: {
    size: { type: 'number', multipleOf: 0.01 },
    parent: { $ref: '#/components/schemas/Thing' },
    'a/b': { $ref: '#/components/schemas/Thing/properties/size', description: 'The same.' },
    const: { const: { $ref: 'not a reference' } },
  },
};

const document = {
  openapi: '3.1.0',
  info: { title: 'Things', version: '2' },
  paths: {
    '/things/{id}': {
      parameters: [{ $ref: '#/components/parameters/Id' }],
      get: {
        operationId: 'getThing',
        tags: ['Things'],
        summary: 'Get a thing',
        parameters: [
          { name: 'id', in: 'query', schema: { type: 'string' } },
          { name: 'filter', in: 'query', style: 'deepObject', schema: { type: 'object' } },
          { name: 'If-None-Match', in: 'header', schema: { type: 'string' } },
          { name: 'X-Trace', in: 'header', schema: true },
        ],
        ...found({ $ref: '#/components/schemas/Thing' }),
      },
      put: {
        operationId: 'putThing',
        tags: ['Things'],
        parameters: [{ name: 'body', in: 'query', schema: { type: 'string' } }],
        requestBody: {
          required: true,
          description: 'All of it.',
          ...json({ $ref: '#/components/schemas/Thing' }),
        },
        responses: { '204': { description: 'Done.' } },
      },
    },
    '/notes': {
      get: { ...found({ type: 'array' }) },
      post: {
        operationId: 'note it',
        requestBody: { content: { 'text/plain': { schema: { type: 'string' } } } },
        responses: { '201': { description: 'Done.' } },
      },
      delete: {
        operationId: 'upload',
        requestBody: { required: true, content: { 'image/png': {} } },
        responses: { '204': { description: 'Done.' } },
      },
    },
  },
  components: {
    parameters: {
      Id: { name: 'id', in: 'path', required: true, description: 'Which.', schema: { type: 'integer' } },
    },
    schemas: { Thing: THING },
  },
};

const things = await toolTableOf(document);

type Answer = (request: HttpRequest) => HttpResponse | Promise<HttpResponse>;

function toolsOf(
  options: Partial<McpOptions> = {},
  answer: Answer = () => ({ status: 204, headers: {} }),
): ContractTools {
  return new ContractTools({ engine: answer, tools: things, ...options });
}

const origin = { headers: {}, signal: new AbortController().signal, host: undefined };

async function call(
  name: string,
  given: Record<string, unknown>,
  answer: Answer,
  headers: Record<string, string> = {},
): Promise<CallToolResult> {
  const tools = toolsOf(
    { only: ['operation:getThing', 'operation:putThing', 'operation:note it', 'operation:getNotes'] },
    answer,
  );
  const result = await tools.call(name, given, { ...origin, headers });
  return result ?? expect.fail('there is no such tool');
}

const namesOf = (options?: Partial<McpOptions>): readonly string[] =>
  toolsOf(options).list.map(({ name }) => name);
const names = { all: ['getThing', 'getNotes'], written: 'note_it' };

describe('ContractTools: which operations', () => {
  it('offers those that only read, by the name of the generator where the document has none', () => {
    expect(namesOf()).to.deep.equal(names.all);
  });

  it('offers those of a tag that only read, and those that are named', () => {
    expect(namesOf({ only: ['tag:Things'] })).to.deep.equal(['getThing']);
    expect(namesOf({ only: ['operation:putThing'] })).to.deep.equal(['putThing']);
    expect(namesOf({ only: ['tag:Things', 'operation:note it'] })).to.deep.equal(['getThing', names.written]);
    expect(namesOf({ only: ['path:/things/*'] })).to.deep.equal(['getThing']);
    expect(namesOf({ only: ['path:/**', 'method:PUT'] })).to.deep.equal(['getThing', 'putThing', 'getNotes']);
    expect(namesOf({ except: ['tag:Things'] })).to.deep.equal(['getNotes']);
  });

  const faults: readonly (readonly [what: string, options: Partial<McpOptions>, message: string])[] = [
    [
      'an operation that there is not',
      { only: ['operation:getThings'] },
      'operation:getThings selects no operation',
    ],
    ['a tag that there is not', { except: ['tag:Thing'] }, 'tag:Thing selects no operation'],
    [
      'a text that is no selector',
      { only: ['Things'] },
      'Things is no selector: write tag:NAME, operation:ID, path:/users/** or method:GET',
    ],
    [
      'a body of bytes',
      { only: ['operation:upload'] },
      'operation upload: a tool sends JSON or text, and the operation takes image/png',
    ],
  ];
  for (const [what, options, message] of faults) {
    it(`refuses ${what}`, () => {
      expect(() => toolsOf(options)).to.throw(message);
    });
  }
});

describe('ContractTools: schemas', () => {
  const toolNamed = (name: string, options?: Partial<McpOptions>) =>
    toolsOf(options).list.find((tool) => tool.name === name);

  it('has one argument per parameter, with its location where two have one name', () => {
    expect(toolNamed('getThing')?.inputSchema).to.deep.equal({
      type: 'object',
      properties: {
        path_id: { type: 'integer', description: 'Which.' },
        query_id: { type: 'string' },
        filter: { type: 'object' },
        'X-Trace': {},
      },
      required: ['path_id'],
      additionalProperties: false,
    });
  });

  it('has the body beside them, and its schemas as definitions, recursive ones too', () => {
    const { inputSchema, annotations } =
      toolNamed('putThing', { only: ['operation:putThing'] }) ?? expect.fail();
    const { xml, ...thing } = THING;
    expect(xml).to.be.an('object');
    const properties = {
      ...THING.properties,
      parent: { $ref: '#/$defs/Thing' },
      'a/b': { $ref: '#/$defs/Thing/properties/size', description: 'The same.' },
    };
    expect(inputSchema).to.deep.equal({
      type: 'object',
      properties: {
        id: { type: 'integer', description: 'Which.' },
        query_body: { type: 'string' },
        body: { $ref: '#/$defs/Thing', description: 'All of it.' },
      },
      required: ['id', 'body'],
      additionalProperties: false,
      $defs: { Thing: { ...thing, properties } },
    });
    expect(annotations).to.deep.equal({ readOnlyHint: false, idempotentHint: true });
  });

  it('promises an object without a multipleOf that validators get wrong', () => {
    const schema = toolNamed('getThing')?.outputSchema;
    expect(schema).to.deep.include({ type: 'object', required: ['size'] });
    expect(schema).to.have.nested.property('properties.size').that.deep.equals({ type: 'number' });
    expect(toolNamed('getNotes')?.outputSchema).to.equal(undefined);
  });

  it('translates the schemas of OpenAPI 3.0', async () => {
    const old = {
      type: 'object',
      properties: {
        name: { type: 'string', nullable: true },
        size: { type: 'integer', minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false },
        other: { $ref: '#/components/schemas/Other', description: 'Another.', maxLength: 3 },
        kind: { type: 'string', enum: ['a'], nullable: true },
      },
    };
    const tools = await toolTableOf({
      ...document,
      openapi: '3.0.3',
      paths: { '/x': { get: { operationId: 'x', ...found(old) } } },
      components: { schemas: { Other: { type: 'string' } } },
    });
    expect(toolNamed('x', { tools })?.outputSchema).to.deep.equal({
      type: 'object',
      properties: {
        name: { type: ['string', 'null'] },
        size: { type: 'integer', exclusiveMinimum: 0, maximum: 9 },
        other: { $ref: '#/$defs/Other', description: 'Another.' },
        kind: { type: 'string', enum: ['a'] },
      },
      $defs: { Other: { type: 'string' } },
    });
  });
});

describe('ContractTools: calls', () => {
  it('sends arguments where their parameters are, and the credential over them', async () => {
    let sent: HttpRequest | undefined;
    const answer: Answer = (request) => {
      sent = request;
      return { status: 200, headers: { 'Content-Type': 'application/json' }, body: '{"size":1}' };
    };
    const given = { path_id: 7, query_id: 'a b', filter: { x: 1 }, 'X-Trace': 'yes' };
    const result = await call('getThing', given, answer, { 'x-trace': 'mine', authorization: 'Bearer t' });
    expect(sent).to.include({ method: 'GET', path: '/things/7', query: 'id=a%20b&filter%5Bx%5D=1' });
    expect(sent?.headers).to.deep.equal({
      accept: 'application/json',
      authorization: 'Bearer t',
      'x-trace': 'mine',
    });
    expect(result).to.deep.equal({
      content: [{ type: 'text', text: '{"size":1}' }],
      structuredContent: { size: 1 },
    });
  });

  it('sends bodies of JSON and of text', async () => {
    const bodies: (readonly [string, unknown])[] = [];
    const answer: Answer = async (request) => {
      bodies.push([Buffer.from(await request.readBody(1000)).toString(), request.headers['content-type']]);
      return { status: 201, headers: { Location: '/notes/1' } };
    };
    await call('putThing', { id: 1, body: { size: 2 } }, answer);
    const result = await call(names.written, { body: 'hello' }, answer);
    expect(bodies).to.deep.equal([
      ['{"size":2}', 'application/json'],
      ['hello', 'text/plain'],
    ]);
    expect(result.content).to.deep.equal([{ type: 'text', text: 'Status 201, Location: /notes/1' }]);
    expect((await call(names.written, { body: 1 }, answer)).isError).to.equal(true);
  });

  const said =
    (status: number, body?: HttpResponse['body'], type = 'application/json'): Answer =>
    () => ({
      status,
      headers: body === undefined ? {} : { 'Content-Type': type },
      ...(body !== undefined && { body }),
    });
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (;;) yield await Promise.resolve(new Uint8Array(100_000));
  }

  const failures: readonly (readonly [what: string, answer: Answer, text: string])[] = [
    [
      'problem details',
      said(403, '{"status":403,"title":"No","detail":"Not yours"}', 'application/problem+json'),
      'Not yours',
    ],
    ['an error of another form', said(404, '{"error":"Not found"}'), 'Not found'],
    ['a text', said(502, 'Bad gateway', 'text/plain'), 'Bad gateway'],
    ['nothing', said(500), 'Status 500'],
    ['no object where one is promised', said(200, '[]'), 'Status 200'],
    ['more than fits', said(200, endless()), 'The answer is larger than 1048576 bytes: ask for less'],
  ];
  for (const [what, answer, text] of failures) {
    it(`fails with the sentence of ${what}`, async () => {
      const result = await call('getThing', { path_id: 1 }, answer);
      expect(result).to.deep.equal({ content: [{ type: 'text', text }], isError: true });
    });
  }

  it('gives bytes as a resource', async () => {
    const result = await call('getNotes', {}, said(200, Uint8Array.of(255), 'image/png'));
    const resource = { uri: 'concordat:/notes', mimeType: 'image/png', blob: '/w==' };
    expect(result).to.deep.equal({ content: [{ type: 'resource', resource }] });
  });

  it('does not send a path that leads elsewhere, or an unknown argument', async () => {
    const never: Answer = () => expect.fail('the request was sent');
    expect((await call('getThing', { path_id: '..' }, never)).isError).to.equal(true);
    expect((await call('getNotes', { toString: 1 }, never)).content).to.deep.equal([
      { type: 'text', text: 'There is no argument toString: there are none' },
    ]);
  });
});

describe('a tool of a document whose schemas refer to each other by URI and by anchor', () => {
  const schemas = {
    Tree: {
      $id: 'https://example.com/tree',
      type: 'object',
      properties: {
        left: { $ref: 'tree' },
        label: { $ref: 'urn:example:text#short' },
        default: { $ref: '#note' },
        data: { $dynamicRef: '#data' },
      },
      $defs: { note: { $anchor: 'note', type: 'integer' }, data: { $dynamicAnchor: 'data', type: 'null' } },
    },
    Text: { $id: 'urn:example:text', $defs: { short: { $anchor: 'short', type: 'string' } } },
  };
  const openapi = { openapi: '3.1.0', info: { title: 'Trees', version: '1' }, components: { schemas } };
  const get = { operationId: 'getTree', ...found({ $ref: 'https://example.com/tree' }) };
  it('has them as one schema that needs nothing else', async () => {
    const { list } = toolsOf({ tools: await toolTableOf({ ...openapi, paths: { '/tree': { get } } }) });
    const tree = '#/$defs/Tree';
    const properties = {
      left: { $ref: tree },
      label: { $ref: '#/$defs/Text/%24defs/short' },
      default: { $ref: `${tree}/%24defs/note` },
      data: {},
    };
    const $defs = { note: { type: 'integer' }, data: { type: 'null' } };
    expect(list[0]?.outputSchema).to.deep.equal({
      type: 'object',
      properties,
      $defs: {
        ...$defs,
        Tree: { type: 'object', properties, $defs },
        Text: { $defs: { short: { type: 'string' } } },
      },
    });
  });
});

describe('ContractTools: arguments of another shape', () => {
  const parameter = (name: string, schema: unknown, where = 'query') => ({
    name,
    in: where,
    schema,
    ...(where === 'path' && { required: true }),
  });
  const shapes = {
    openapi: '3.1.0',
    info: { title: 'Shapes', version: '1' },
    paths: {
      '/users/{id}': {
        get: {
          operationId: 'getUser',
          parameters: [
            parameter('id', { type: 'string' }, 'path'),
            parameter('ids', { type: 'array', items: { $ref: '#/components/schemas/Id' } }),
            parameter('filter', { type: 'object', properties: { name: { type: 'string' } } }),
            parameter('size', { anyOf: [{ type: 'integer' }, { type: 'null' }] }),
            parameter('kind', { enum: ['a', 1] }),
            parameter('any', {}),
            parameter('X-Id', { allOf: [{ $ref: '#/components/schemas/Id' }] }, 'header'),
          ],
          responses: { '204': { description: 'Done.' } },
        },
      },
    },
    components: { schemas: { Id: { type: ['string', 'integer'] } } },
  };

  const table = toolTableOf(shapes);

  async function outcomeOf(given: Record<string, unknown>): Promise<string> {
    let sent = 'nothing';
    const engine = ({ path, query, headers }: HttpRequest): HttpResponse => {
      sent = [path, query, headers['x-id'] ?? ''].join(' ').trim();
      return { status: 204, headers: {} };
    };
    const result = await new ContractTools({ engine, tools: await table }).call('getUser', given, origin);
    const [content] = result?.content ?? [];
    return result?.isError === true && content?.type === 'text' ? content.text : sent;
  }

  const cases: readonly (readonly [given: Record<string, unknown>, outcome: string])[] = [
    [{ id: ['4'] }, 'id must be string'],
    [{ id: { a: 1 } }, 'id must be string'],
    [{ id: null }, 'id must be string'],
    [{ id: [] }, 'id must be string'],
    [{ id: '4', ids: '5' }, 'ids must be array'],
    [{ id: '4', ids: ['5', ['6']] }, 'ids/1 must be number or string'],
    [{ id: '4', ids: { 0: '5' } }, 'ids must be array'],
    [{ id: '4', filter: 'name' }, 'filter must be object'],
    [{ id: '4', filter: { name: ['Ada'] } }, 'filter/name must be string'],
    [{ id: '4', size: [1] }, 'size must be null or number'],
    [{ id: '4', kind: ['a'] }, 'kind must be number or string'],
    [{ id: '4', 'X-Id': ['5'] }, 'X-Id must be number or string'],
    [{ id: '4', ids: ['5', 6], filter: { name: 'Ada' } }, '/users/4 ids=5,6&name=Ada'],
    [{ id: 4, size: '7', kind: 1, 'X-Id': 5 }, '/users/4 size=7&kind=1 5'],
    [{ id: '4', any: ['x'] }, '/users/4 any=x'],
  ];
  for (const [given, outcome] of cases) {
    it(`makes of ${JSON.stringify(given)}: ${outcome}`, async () => {
      expect((await outcomeOf(given)).replace('ids=5&ids=6', 'ids=5,6')).to.equal(outcome);
    });
  }
});

describe('ContractTools: integers beyond 2^53', () => {
  const long = { type: 'integer', format: 'int64' };
  const longs = {
    openapi: '3.1.0',
    info: { title: 'Longs', version: '1' },
    paths: {
      '/accounts/{id}': {
        post: {
          operationId: 'move',
          parameters: [{ name: 'id', in: 'path', required: true, schema: long }],
          requestBody: { required: true, ...json({ $ref: '#/components/schemas/Account' }) },
          ...found({ $ref: '#/components/schemas/Account' }),
        },
      },
    },
    components: {
      schemas: {
        Account: {
          type: 'object',
          properties: {
            balance: long,
            parent: { $ref: '#/components/schemas/Account' },
            name: { type: 'string' },
          },
        },
      },
    },
  };
  const sent: string[] = [];
  let tools: ContractTools;
  before(async () => {
    const answer: Answer = async (request) => {
      const body = Buffer.from(await request.readBody(1000)).toString();
      sent.push(`${request.path} ${body}`);
      return { status: 200, headers: { 'Content-Type': 'application/json' }, body };
    };
    tools = toolsOf({ tools: await toolTableOf(longs), only: ['operation:move'] }, answer);
  });
  const moved = (given: Record<string, unknown>) => tools.call('move', given, origin);

  it('are strings of digits in results, as their schema says, and the text has them as they are', async () => {
    const body = '{"balance":9007199254740993,"parent":{"balance":-9223372036854775808,"name":"1"}}';
    const given = { balance: '9007199254740993', parent: { balance: '-9223372036854775808', name: '1' } };
    const result = await moved({ id: '9223372036854775807', body: given });
    expect(sent.at(-1)).to.equal(`/accounts/9223372036854775807 ${body}`);
    expect(result).to.deep.equal({ content: [{ type: 'text', text: body }], structuredContent: given });
    const { inputSchema, outputSchema } = tools.list[0] ?? expect.fail();
    const digits = { type: ['integer', 'string'], format: 'int64', pattern: String.raw`^-?\d+$` };
    expect(inputSchema).to.have.nested.property('properties.id').that.deep.equals(digits);
    expect(outputSchema).to.have.nested.property('properties.balance').that.deep.equals(digits);
    expect(ajv.compile((outputSchema ?? {}) as object)(result?.structuredContent)).to.equal(true);
  });

  it('are numbers where a number holds them', async () => {
    const given = { balance: 9007199254740991, parent: { balance: 0 } };
    const result = await moved({ id: 1, body: given });
    expect(result?.structuredContent).to.deep.equal(given);
    expect(ajv.compile((tools.list[0]?.outputSchema ?? {}) as object)(result?.structuredContent)).to.equal(
      true,
    );
  });

  it('are not taken rounded', async () => {
    const count = sent.length;
    const rounded = 2 ** 60 + 1;
    const sentence = 'must be a string of digits: a number of this size is rounded';
    const text = (place: string) => ({
      content: [{ type: 'text', text: `${place} ${sentence}` }],
      isError: true,
    });
    expect(await moved({ id: rounded, body: {} })).to.deep.equal(text('id'));
    expect(await moved({ id: 1, body: { parent: { balance: rounded } } })).to.deep.equal(
      text('body/parent/balance'),
    );
    expect(sent).to.have.length(count);
  });
});
