/** Types that all refer to each other: no command follows every path through them. */

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { buildSchema } from 'graphql';
import { memoryRequest } from '@concordat/runtime';
import { graphqlEngine, isConstrained } from '@concordat/runtime/graphql';
import { mockGraphql, mockHandler } from '@concordat/tools/mock';
import { runProgram } from '../../src/codegen/cli/program.js';
import { runInProcess } from '../support/run-program.js';
import { unexpectedReport } from '../support/unexpected-report.js';

const COUNT = 40;
const all = Array.from({ length: COUNT }, (_, index) => index);
const others = (index: number): readonly number[] => all.filter((each) => each !== index);
const json = (schema: object): object => ({ content: { 'application/json': { schema } } });

function documentOf(): string {
  const reference = (index: number): object => ({ $ref: `#/components/schemas/S${index}` });
  const schemas = all.map((index) => {
    const own = others(index).map((each) => [`s${each}`, reference(each)] as const);
    const properties = {
      id: { type: 'string' },
      ...Object.fromEntries(own),
    };
    return [`S${index}`, { type: 'object', properties }] as const;
  });
  const answer = (schema: object): object => ({ 200: { description: 'It', ...json(schema) } });
  const paths = all.map((index) => {
    const get = { operationId: `get${index}`, responses: answer(reference(index)) };
    const requestBody = { required: true, ...json(reference(index)) };
    return [`/s${index}`, { get, put: { ...get, operationId: `put${index}`, requestBody } }] as const;
  });
  const info = { title: 'Graph', version: '1' };
  return JSON.stringify({
    openapi: '3.1.0',
    info,
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

/** Most take under two seconds of an idle core; a walk along every path takes longer than the universe has. */
const MOST_SECONDS = 10;

describe('types that all refer to each other', function () {
  this.timeout(120_000);
  let home = '';
  const file = (name: string): string => join(home, name);
  before(async () => {
    home = await mkdtemp(join(tmpdir(), 'concordat-graph-'));
    await writeFile(file('old.json'), documentOf());
    await writeFile(file('old.graphql'), schemaOf());
    await writeFile(file('new.graphql'), schemaOf('extra: Int!'));
    await mkdir(file('usage'));
  });
  after(() => rm(home, { recursive: true }));

  async function timed<T>(work: () => T | Promise<T>): Promise<T> {
    const before = process.cpuUsage();
    const result = await work();
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1e6).to.be.below(MOST_SECONDS);
    return result;
  }

  const commands: readonly (readonly [exitCode: number, ...parameters: readonly string[]])[] = [
    [0, 'generate', '--openapi', 'old.json', '--out', 'rest'],
    [0, 'generate', '--schema', 'old.graphql', '--out', 'graphql'],
    [0, 'diff', 'old.json', 'old.json'],
    [0, 'diff', 'old.graphql', 'old.graphql'],
    [1, 'diff', 'old.graphql', 'new.graphql'],
    [0, 'mock', 'old.json', '--state', '--explain'],
  ];
  for (const [exitCode, ...parameters] of commands) {
    it(`take ${parameters.join(' ')} no time`, async () => {
      const given = parameters.map((each, index) =>
        each.includes('.') || parameters[index - 1] === '--out' ? file(each) : each,
      );
      const run = await timed(() => runInProcess(runProgram, given));
      expect(run.exitCode, run.stderr).to.equal(exitCode);
    });
  }

  it('take mocks no time', async () => {
    const rest = await timed(() => mockHandler(file('old.json')));
    const { status } = await timed(() => rest(memoryRequest({ method: 'GET', path: '/s0' })));
    expect(status).to.equal(200);
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
