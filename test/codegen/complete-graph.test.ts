/** Types that all refer to each other: no command follows every path through them. */

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { buildSchema } from 'graphql';
import type { HttpHandler } from '@concordat/runtime';
import { graphqlEngine, isConstrained } from '@concordat/runtime/graphql';
import { mcpHttp } from '@concordat/runtime/mcp';
import { mockGraphql } from '@concordat/tools/mock';
import { runProgram } from '../../src/codegen/cli/program.js';
import { type Sink, runInProcess } from '../support/run-program.js';
import { toolTableOf } from '../support/tool-table.js';
import { unexpectedReport } from '../support/unexpected-report.js';

const COUNT = 40;
const all = Array.from({ length: COUNT }, (_, index) => index);
const others = (index: number): readonly number[] => all.filter((each) => each !== index);
const json = (schema: object): object => ({ content: { 'application/json': { schema } } });

const reference = (index: number): object => ({ $ref: `#/components/schemas/S${index}` });
const object = (properties: object): object => ({ type: 'object', properties });
const named = (indexes: readonly number[]): readonly object[] =>
  indexes.map((each) => object({ [`s${each}`]: reference(each) }));

/** The forms in which each schema has all others. @param text - the schema of its own property */
const FORMS: Readonly<Record<string, (index: number, text: object) => object>> = {
  properties: (index, text) =>
    object({
      id: text,
      ...Object.fromEntries(others(index).map((each) => [`s${each}`, reference(each)] as const)),
    }),
  lists: (index, text) =>
    object({
      id: text,
      ...Object.fromEntries(
        others(index).map((each) => [`s${each}`, { type: 'array', items: reference(each) }] as const),
      ),
    }),
  anyOf: (index, text) => ({ anyOf: [object({ id: text }), ...named(others(index))] }),
  allOf: (index, text) => ({ allOf: [object({ id: text }), ...named(others(index))] }),
  // A schema that refers to itself for the same value has no meaning, so each refers to those after it.
  'references in anyOf': (index, text) => ({
    anyOf: [object({ [`id${index}`]: text }), ...all.slice(index + 1).map(reference)],
  }),
  'references in allOf': (index, text) => ({
    allOf: [object({ [`id${index}`]: text }), ...all.slice(index + 1).map(reference)],
  }),
};

/** @param last - the schema of a property of the last schema */
function documentOf(form: (index: number, text: object) => object, last: object): string {
  const schemas = all.map((index) => {
    const text = index === COUNT - 1 ? last : { type: 'string' };
    return [`S${index}`, form(index, text)] as const;
  });
  const answer = (schema: object): object => ({ 200: { description: 'It', ...json(schema) } });
  const paths = all.map((index) => {
    const get = { operationId: `get${index}`, responses: answer(reference(index)) };
    const requestBody = { required: true, ...json(reference(index)) };
    return [`/s${index}`, { get, put: { ...get, operationId: `put${index}`, requestBody } }] as const;
  });
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Graph', version: '1' },
    paths: Object.fromEntries(paths),
    components: { schemas: Object.fromEntries(schemas) },
  });
}

/** @param more - a field of the last input type */
function schemaOf(more = ''): string {
  const types = all.map((index) => {
    const [inputs, fields] = ['I', 'T'].map((type) =>
      others(index).map((each) => `f${each}: ${type}${each}`),
    );
    const last = index === COUNT - 1 ? more : '';
    return `input I${index} { ${String(inputs)} ${last} }\ntype T${index} { id: ID!, ${String(fields)} }\n`;
  });
  const queries = all.map((index) => `t${index}(of: I${index}): T${index}`);
  return `${types.join('')}type Query { ${queries.join(' ')} }\n`;
}

/** Most take under two seconds of an idle core, `bridge` five; a walk along every path takes longer than the universe has. */
const MOST_SECONDS = 30;

describe('types that all refer to each other', () => {
  let home = '';
  const file = (name: string): string => join(home, name);
  before(async () => {
    home = await mkdtemp(join(tmpdir(), 'concordat-graph-'));
    for (const [name, form] of Object.entries(FORMS)) {
      await writeFile(file(`${name}.old.json`), documentOf(form, { type: 'string' }));
      await writeFile(file(`${name}.new.json`), documentOf(form, { type: 'string', maxLength: 5 }));
    }
    await writeFile(file('old.graphql'), schemaOf());
    await writeFile(file('new.graphql'), schemaOf('extra: Int!'));
  });
  after(() => rm(home, { recursive: true }));

  async function timed<T>(work: () => T | Promise<T>, most = MOST_SECONDS): Promise<T> {
    const before = process.cpuUsage();
    const result = await work();
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1e6).to.be.below(most);
    return result;
  }

  type Command = readonly [exitCode: number | undefined, ...parameters: readonly string[]];

  /** @param ask - while the command serves */
  async function run(
    [exitCode, ...parameters]: Command,
    ask: (url: string) => Promise<unknown> = () => Promise.resolve(),
    most = MOST_SECONDS,
  ): Promise<void> {
    const given = parameters.map((each, index) =>
      /\.(?:json|graphql)$/.test(each) || /^--(?:out|usage)$/.test(parameters[index - 1] ?? '')
        ? file(each)
        : each,
    );
    const stop = async ({ text }: Sink): Promise<void> => {
      await ask(/http:\/\/[^\s,]+\d/.exec(text)?.[0] ?? '');
    };
    const found = await timed(() => runInProcess(runProgram, given, {}, '', stop), most);
    if (exitCode !== undefined) expect(found.exitCode, found.stderr).to.equal(exitCode);
  }

  const commands = (form: string): readonly Command[] => [
    [0, 'generate', '--openapi', `${form}.old.json`, '--out', `${form}-rest`],
    [undefined, 'diff', `${form}.old.json`, `${form}.new.json`],
    // The compiler refuses to compare types of the form `allOf` that are so deep.
    [form === 'allOf' ? 1 : 0, 'bridge', `${form}.old.json`, `${form}.new.json`, '--out', `${form}-bridge`],
    [0, 'mock', `${form}.old.json`, '--state', '--explain'],
  ];
  const ofSchema: readonly Command[] = [
    [0, 'generate', '--schema', 'old.graphql', '--out', 'graphql'],
    [0, 'diff', 'old.graphql', 'old.graphql'],
    [1, 'diff', 'old.graphql', 'new.graphql'],
  ];
  for (const command of [...Object.keys(FORMS).flatMap(commands), ...ofSchema])
    it(`take ${command.slice(1).join(' ')} no time`, () => run(command));

  /** Writes back what the server answers. */
  async function ask(url: string): Promise<void> {
    for (const path of ['s0', 's0', 's39']) {
      const body = await (await fetch(`${url}/${path}`)).text();
      const headers = { 'content-type': 'application/json' };
      const { status } = await fetch(`${url}/${path}`, { method: 'PUT', headers, body });
      expect(status).to.equal(200);
    }
  }

  for (const form of Object.keys(FORMS)) {
    it(`take what passes traffic on, and verify, no time: ${form}`, async () => {
      const document = `${form}.old.json`;
      const served = async (url: string): Promise<void> => {
        await run([0, 'proxy', url, '--openapi', document, '--port', '0', '--usage', `${form}-usage`], ask);
        await run([0, 'record', url, '--out', `${form}.recorded.json`, '--port', '0'], ask);
        const requests = String(3 * COUNT);
        await run([0, 'verify', url, '--openapi', document, '--requests', requests, '--seed', '1']);
      };
      // Its time has that of the others.
      await run([0, 'mock', document, '--port', '0'], served, 4 * MOST_SECONDS);
      await run([0, 'coverage', file(`${form}-usage`), '--openapi', document]);
      await run([0, 'mock', document, '--state', '--port', '0'], ask);
    });

    it(`take a server of the Model Context Protocol no time: ${form}`, async () => {
      const engine = (): { readonly status: number; readonly headers: object } => ({
        status: 204,
        headers: {},
      });
      await timed(async () => {
        const tools = await toolTableOf(file(`${form}.old.json`));
        mcpHttp({ engine: engine as HttpHandler<undefined>, tools });
      });
    });
  }

  it('take forms with files no time', async () => {
    const own = (index: number): object =>
      object({ [`id${index}`]: { type: 'string' }, file: { type: 'string', format: 'binary' } });
    const schemas = all.map(
      (index) => [`S${index}`, { anyOf: [own(index), ...all.slice(index + 1).map(reference)] }] as const,
    );
    const requestBody = { content: { 'multipart/form-data': { schema: reference(0) } } };
    const document = {
      openapi: '3.1.0',
      info: { title: 'Files', version: '1' },
      paths: { '/files': { post: { operationId: 'send', requestBody, responses: { 204: {} } } } },
      components: { schemas: Object.fromEntries(schemas) },
    };
    await writeFile(file('files.json'), JSON.stringify(document));
    await run([0, 'generate', '--openapi', 'files.json', '--out', 'files']);
  });

  it('take init no time', async () => {
    const before = process.cwd();
    await mkdir(file('server'));
    process.chdir(file('server'));
    try {
      await run([0, 'init', 'properties.old.json', 'old.graphql']);
    } finally {
      process.chdir(before);
    }
  });

  it('take a mock of a schema no time', async () => {
    await timed(() => mockGraphql(file('old.graphql')));
  });

  it('take an engine no time', async () => {
    const schema = buildSchema(schemaOf());
    const { args = [] } = schema.getQueryType()?.getFields()['t0'] ?? {};
    expect(await timed(() => args.map((each) => isConstrained(each)))).to.deep.equal([false]);
    await timed(() =>
      graphqlEngine<undefined>({ schema, explain: () => undefined, report: unexpectedReport }),
    );
  });
});
