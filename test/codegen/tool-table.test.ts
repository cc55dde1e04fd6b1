/** The table of tools that the generator writes, for names and sizes that tools of most contracts do not have. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HttpRequest, ToolTable } from '@concordat/runtime';
import { expect } from 'chai';
import { generate } from '../../src/codegen/index.js';
import { readContract } from '../../src/codegen/contract/model/operations.js';
import { Reader } from '../../src/codegen/contract/model/reader.js';
import type { OpenApiDocument } from '../../src/codegen/contract/schemas/document.js';
import { toolTable } from '../../src/codegen/generator/tools/tool-table.js';
import { ContractTools } from '../../src/runtime/mcp/contract-tools.js';
import { toolTableOf } from '../support/tool-table.js';
import { loadModules } from './generated-modules.js';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const described = (response: object) => ({ 200: { description: 'It.', ...response } });
const reference = (name: string | number) => ({ $ref: `#/components/schemas/${String(name)}` });
const documentOf = (paths: object, schemas: object = {}, openapi = '3.1.0') => ({
  openapi,
  info: { title: 'Tools', version: '1' },
  paths,
  components: { schemas },
});
const engine = () => ({ status: 204, headers: {} });

describe('the table of tools', () => {
  let home = '';
  before(async () => {
    home = await mkdtemp(join(tmpdir(), 'concordat-tool-table-'));
  });
  after(() => rm(home, { recursive: true }));

  const NAMES = ['__proto__', '400', 'constructor', 'toString', 'a.b', 'é'];

  it('is generated, and has arguments and definitions of any name', async () => {
    const schemas = Object.fromEntries(
      NAMES.map((name, index) => [
        name,
        {
          type: 'object',
          properties: { next: reference(encodeURIComponent(NAMES[index + 1] ?? '__proto__')) },
        },
      ]),
    );
    const parameters = NAMES.map((name) => ({ name, in: 'query', schema: { type: 'string', title: name } }));
    const post = {
      operationId: 'constructor',
      parameters,
      requestBody: json(reference('__proto__')),
      responses: described(json(reference('__proto__'))),
    };
    const openapi = join(home, 'names.json');
    // A literal would set the prototype.
    await writeFile(openapi, JSON.stringify(documentOf({ '/x': { post } }, schemas)));
    const files = await generate({ openapi, tools: true });
    const { exports } = loadModules({ 'tools.ts': files['tools.ts'] ?? '' });
    const { tools: table } = exports['tools.ts'] as { readonly tools: ToolTable };
    expect(table).to.deep.equal(await toolTableOf(openapi));

    let sent: HttpRequest | undefined;
    const answer = (request: HttpRequest) => {
      sent = request;
      return { status: 200, headers: { 'Content-Type': 'application/json' }, body: '{}' };
    };
    const tools = new ContractTools({ engine: answer, tools: table, only: ['method:POST'] });
    const [{ inputSchema, outputSchema, name } = expect.fail()] = tools.list;
    expect(name).to.equal('constructor');
    expect(Object.keys(inputSchema.properties ?? {})).to.have.members([...NAMES, 'body']);
    for (const schema of [inputSchema, outputSchema])
      expect(Object.keys(schema?.['$defs'] as object)).to.have.members(NAMES);
    const given = JSON.parse('{"__proto__":"p","400":"n","constructor":"c"}') as Record<string, unknown>;
    const origin = { headers: {}, signal: new AbortController().signal, host: undefined };
    const result = await tools.call('constructor', given, origin);
    expect(result?.isError, JSON.stringify(result)).to.equal(undefined);
    expect(sent?.query.split('&')).to.have.members(['__proto__=p', '400=n', 'constructor=c']);
  });

  it('numbers an argument whose name with its location is taken', async () => {
    const parameters = [
      { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
      { name: 'id', in: 'query', schema: { type: 'string' } },
      { name: 'query_id', in: 'query', schema: { type: 'string' } },
    ];
    const get = { operationId: 'get', parameters, responses: described({}) };
    const { operations } = await toolTableOf(documentOf({ '/x/{id}': { get } }));
    expect(operations[0]?.parameters.map(([name]) => name)).to.deep.equal([
      'path_id',
      'query_id2',
      'query_id',
    ]);
  });

  it('has the operations of further methods, and no second operation of a path', async () => {
    const operation = (operationId: string) => ({ operationId, responses: described({}) });
    const paths = {
      '/x/{a}': {
        parameters: [{ name: 'a', in: 'path', required: true, schema: { type: 'string' } }],
        query: operation('ask'),
        additionalOperations: { COPY: operation('copy') },
      },
    };
    const tools = await toolTableOf(documentOf(paths, {}, '3.2.0'));
    const names = (only?: readonly string[]) =>
      new ContractTools({ engine, tools, ...(only && { only }) }).list.map(({ name }) => name);
    expect(names()).to.deep.equal(['ask']);
    expect(names(['operation:copy'])).to.deep.equal(['copy']);
  });

  /** The table of a document that no linter has read. */
  function tableOf(paths: object, schemas: object): ToolTable {
    const document = documentOf(paths, schemas) as unknown as OpenApiDocument;
    return toolTable({ loaded: { document }, model: readContract(new Reader(document)) });
  }
  const pathsOf = (count: number, schema: (index: number) => object) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => {
        const put = {
          operationId: `put${String(index)}`,
          requestBody: json(schema(index)),
          responses: described(json(schema(index))),
        };
        return [`/p${String(index)}`, { put }];
      }),
    );

  it('has each schema once, however many operations and schemas lead to it', () => {
    const all = Array.from({ length: 30 }, (_, index) => index);
    const properties = Object.fromEntries(all.map((each) => [`s${String(each)}`, reference(each)]));
    const schemas = Object.fromEntries(all.map((each) => [each, { type: 'object', properties }]));
    const tools = tableOf(
      pathsOf(1000, (index) => reference(index % 30)),
      schemas,
    );
    for (const definitions of [tools.inputs, tools.outputs])
      expect(Object.keys(definitions)).to.have.length(30);
    const { list } = new ContractTools({ engine, tools, only: ['method:PUT'] });
    expect(list).to.have.length(1000);
    const definitions = list.map(({ inputSchema }) => inputSchema['$defs'] as object);
    expect(new Set(definitions).size).to.equal(30);
    expect(Object.keys(definitions[0] ?? {})).to.have.length(30);
  });

  it('follows a chain of 10,000 schemas', () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, index) => [
        `S${String(index)}`,
        { type: 'object', properties: { next: reference(`S${String((index + 1) % 10_000)}`) } },
      ]),
    );
    const tools = tableOf(
      pathsOf(1, () => reference('S0')),
      schemas,
    );
    const { list } = new ContractTools({ engine, tools, only: ['method:PUT'] });
    expect(list[0]?.outputSchema?.['$defs']).to.have.property('S9999');
  });
});
