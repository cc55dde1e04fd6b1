/** `concordat coverage` and `concordat diff --usage`, over files that observers have written. */

import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { ObserveOptions, Usage } from '@concordat/runtime/observe';
import { runProgram } from '../../../src/codegen/cli/program.js';
import type { ContractDiff } from '../../../src/tools/diff/diff.js';
import type { Coverage } from '../../../src/tools/usage/coverage.js';
import { type Run, runInProcess } from '../../support/run-program.js';
import { json, observedOrders, ordersFile } from './order-server.js';

type Client = Awaited<ReturnType<typeof observedOrders>>['client'];

describe('the use of a contract', () => {
  const home = process.cwd();
  let directory = '';

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'concordat-usage-'));
    process.chdir(directory);
    await writeFile('openapi.yaml', await readFile(ordersFile));
  });

  afterEach(async () => {
    process.chdir(home);
    await rm(directory, { recursive: true });
  });

  /** Calls the server as tests do, and writes the file of this process. @returns the counts */
  async function counted(
    calls: (client: Client) => Promise<unknown>,
    options: Partial<ObserveOptions> = {},
  ): Promise<Usage> {
    const { client, observer } = await observedOrders(options);
    await calls(client);
    await observer.settled();
    return JSON.parse(await readFile(await observer.writeUsage('usage'), 'utf8')) as Usage;
  }

  const run = (...parameters: readonly string[]): Promise<Run> => runInProcess(runProgram, parameters);
  const by = (client: string) => ({ headers: { 'x-client': client } });

  describe('concordat coverage', () => {
    it('prints how much of each kind of parts was used, and the outermost parts that nothing touched', async () => {
      await counted(async (client) => {
        await client.listOrders({ query: { sort: 'oldest' } });
        await client.addOrder(json({ title: 'Desk', labels: { mine: { colour: 'red' } } }));
      });
      expect(await run('coverage', 'usage')).to.deep.equal({
        exitCode: 0,
        stdout: `Used of openapi.yaml in 1 day:

operations           2 of 3    66 %
statuses             2 of 5    40 %
parameters           1 of 3    33 %
media-types          3 of 4    75 %
members            13 of 26    50 %
enum-values         3 of 14    21 %

Not used:
  GET /orders query limit
  GET /orders query sort = "newest"
  GET /orders 200 application/json /next
  GET /orders 200 application/json /items/*/labels
  GET /orders 200 application/json /items/*/state = "open"
  GET /orders 200 application/json /items/*/state = "lost"
  POST /orders request application/json /state
  POST /orders request application/json /secret
  POST /orders request application/json /parts
  POST /orders request application/x-www-form-urlencoded
  POST /orders 201 application/json /parts
  POST /orders 201 application/json /state = "sent"
  POST /orders 201 application/json /state = "lost"
  POST /orders 409
  DELETE /orders/{id}
`,
        stderr: '',
      });
    });

    it('adds the files of several processes, in folders and by name, each once', async () => {
      await counted((client) => client.listOrders());
      await counted((client) => client.deleteOrder({ path: { id: '1' } }));
      await counted((client) => client.deleteOrder({ path: { id: '9' } }));
      const [first = ''] = await readdir('usage');
      const { stdout } = await run('coverage', 'usage', `usage/${first}`, '--json');
      const { kinds } = JSON.parse(stdout) as Coverage;
      expect(kinds.operations).to.deep.equal({ used: 2, total: 3 });
      expect(kinds.statuses).to.deep.equal({ used: 3, total: 5 });
      expect((await run('coverage', 'usage')).stdout)
        .to.include('  POST /orders\n')
        .and.not.include('POST /orders 201');
    });

    it('fails below a minimum, which a kind without parts reaches', async () => {
      await counted((client) => client.listOrders());
      const below = await run(
        'coverage',
        'usage',
        '--min',
        'operations=33,statuses=50',
        '--min',
        'members=100',
      );
      expect([below.exitCode, below.stderr]).to.deep.equal([
        1,
        '20 % of the statuses are used, less than 50 %; 19 % of the members are used, less than 100 %.\n',
      ]);
      expect((await run('coverage', 'usage', '--min', 'operations=33.3,statuses=20')).exitCode).to.equal(0);
      await writeFile(
        'bare.yaml',
        'openapi: 3.1.0\ninfo: { title: A, version: "1" }\npaths: { /orders: { get: { responses: { "200": { description: A } } } } }\n',
      );
      expect(
        (await run('coverage', 'usage', '--openapi', 'bare.yaml', '--min', 'enum-values=100')).exitCode,
      ).to.equal(0);
    });

    it('says when nothing of the contract was counted', async () => {
      await counted((client) => client.deleteOrder({ path: { id: '1' } }));
      const [name = ''] = await readdir('usage');
      const text = await readFile(`usage/${name}`, 'utf8');
      await writeFile(`usage/${name}`, text.replaceAll('/orders/{id}', '/bills/{id}'));
      const { exitCode, stderr } = await run('coverage', 'usage', '--json');
      const sentence = 'No operation of the contract was counted: the usage may be that of another API.\n';
      expect([exitCode, stderr]).to.deep.equal([0, sentence]);
    });

    it('is that of the operations that --only and --except choose', async () => {
      await counted((client) => client.deleteOrder({ path: { id: '1' } }));
      const { stdout, stderr } = await run('coverage', 'usage', '--only', 'path:/orders', '--json');
      const { kinds } = JSON.parse(stdout) as Coverage;
      expect([kinds.operations, stderr]).to.deep.equal([{ used: 0, total: 2 }, '']);
    });

    for (const [format, expected] of [
      ['markdown', '| **note** not-used | POST /orders | the operation is not used | openapi.yaml:21 |'],
      ['junit', 'failure type="used-too-little" message="33 % of the operations are used, less than 100 %"'],
      ['github', '::notice file=openapi.yaml,line=5,title=not-used::GET /orders: query limit is not used'],
      ['sarif', '"ruleId":"not-used"'],
    ] as const) {
      it(`reports as ${format}`, async () => {
        await counted((client) => client.listOrders());
        const { exitCode, stdout } = await run(
          'coverage',
          'usage',
          '--format',
          format,
          '--min',
          'operations=100',
        );
        expect(exitCode).to.equal(1);
        expect(stdout).to.include(expected);
      });
    }
  });

  describe('a file of usage', () => {
    it('has no value but those that the contract lists, and no name that a client chose', async () => {
      const usage = await counted(
        async (client) => {
          await client.addOrder(
            json({ title: 'open', hunter2: 'hunter2', labels: { hunter3: { colour: 'lost' } } }),
            by('web/1'),
          );
          await client.deleteOrder({ path: { id: 'hunter5' } }, by('eyJhbGciOiJIUzI1NiJ9.hunter6'));
          await client.listOrders({ query: { sort: 'hunter7' } }).catch(() => undefined);
        },
        { usage: { client: 'x-client' } },
      );
      expect(JSON.stringify(usage)).not.to.match(/hunter|"lost/);
      expect(usage.parts['POST /orders request application/json /labels/*/colour']).to.deep.equal({
        'web/1': 1,
      });
      expect(usage.parts['DELETE /orders/{id}']).to.deep.equal({ other: 1 });
    });

    it('does not count a default that was not sent', async () => {
      const { parts } = await counted(async (client) => {
        await client.listOrders();
        await client.addOrder(json({ title: 'Desk' }));
        await client.addOrder({ contentType: 'application/x-www-form-urlencoded', body: { title: 'Desk' } });
      });
      const names = Object.keys(parts).filter((name) => /query|request/.test(name));
      expect(names).to.deep.equal([
        'POST /orders request application/json',
        'POST /orders request application/json /title',
        'POST /orders request application/x-www-form-urlencoded',
        'POST /orders request application/x-www-form-urlencoded /title',
      ]);
    });

    it('counts a part once per exchange, and a value of a recursive schema at its outermost place', async () => {
      const { parts } = await counted((client) =>
        client.addOrder(
          json({
            title: 'A',
            parts: [{ title: 'B' }, { title: 'C', parts: [{ title: 'D', state: 'lost' }] }],
          }),
        ),
      );
      expect(parts['POST /orders request application/json /parts']).to.deep.equal({ unnamed: 1 });
      expect(parts['POST /orders request application/json /state = "lost"']).to.deep.equal({ unnamed: 1 });
      expect(Object.keys(parts).filter((name) => name.includes('/parts/'))).to.deep.equal([]);
    });

    it('counts what requests that are refused have sent', async () => {
      const { parts } = await counted((client) => client.deleteOrder({ path: { id: '9' } }));
      expect(Object.keys(parts)).to.deep.equal([
        'DELETE /orders/{id}',
        'DELETE /orders/{id} 404',
        'DELETE /orders/{id} path id',
      ]);
    });

    for (const client of ['authorization', 'X-Api-Key', 'cookie', 'no header']) {
      it(`is not collected by ${client}`, async () => {
        const error = await observedOrders({ usage: { client } }).catch(String);
        expect(error).to.equal(
          `Error: usage.client must be the name of a header without secrets, not ${client}`,
        );
      });
    }

    it('is not written without the option', async () => {
      const { observer } = await observedOrders({ usage: undefined as never });
      expect(await observer.writeUsage('usage').catch(String)).to.include('observe has no option usage');
    });
  });

  describe('concordat diff --usage', () => {
    const changed = async (...replaced: readonly (readonly [string | RegExp, string])[]): Promise<void> => {
      const text = await readFile('openapi.yaml', 'utf8');
      await writeFile(
        'new.yaml',
        replaced.reduce((all, [from, to]) => all.replace(from, to), text),
      );
    };
    const diff = (...parameters: readonly string[]): Promise<Run> =>
      run('diff', 'openapi.yaml', 'new.yaml', '--usage', 'usage', ...parameters);
    /** The use that the report tells of each change for clients. */
    const uses = async (): Promise<Readonly<Record<string, string>>> => {
      const [, ...paragraphs] = (await diff()).stdout.split('\n\n');
      return Object.fromEntries(
        paragraphs.flatMap((each) => {
          const [, change] = /for clients[^:]*: (.*)/.exec(each) ?? [];
          const [, use] = /^ {2}((?:not )?used .*)/m.exec(each) ?? [];
          return change === undefined || use === undefined ? [] : [[change, use]];
        }),
      );
    };

    it('says of each break how often its part was used, and by whom', async () => {
      await counted(
        async (client) => {
          for (const name of ['mobile/4.2', 'web/1', 'web/1'])
            await client.listOrders({ query: { sort: 'oldest' } }, by(name));
          await client.addOrder(json({ title: 'Desk' }), by('web/1'));
        },
        { usage: { client: 'X-Client' } },
      );
      await counted((client) => client.listOrders({ query: { sort: 'oldest' } }, by('mobile/4.2')), {
        usage: { client: 'X-Client' },
      });
      await changed(
        ['[newest, oldest]', '[newest]'],
        [/ +- \{ name: limit.*\n/, ''],
        ['required: [title]', 'required: [title, labels]'],
        ['enum: [open, sent, lost]', 'enum: [open, lost]'],
        [/ +application\/x-www.*\n/, ''],
        ['required: [items]', 'required: []'],
        [/ {2}\/orders\/\{id\}:[^]*components:/, 'components:'],
      );
      expect(await uses()).to.deep.equal({
        'GET /orders: request query sort: the value "oldest" is removed':
          'used 4 times in 1 day by mobile/4.2 (2) and web/1 (2)',
        'GET /orders: the parameter limit in query is removed': 'not used in 1 day',
        'GET /orders: response body/items is no longer required':
          'used 4 times in 1 day by mobile/4.2 (2) and web/1 (2)',
        'POST /orders: request body/labels is required': 'used once in 1 day by web/1',
        'POST /orders: request body/state: the value "sent" is removed': 'not used in 1 day',
        'POST /orders: the request body as application/x-www-form-urlencoded is removed': 'not used in 1 day',
        'DELETE /orders/{id}: the operation is removed': 'not used in 1 day',
      });
      const [told] = JSON.parse((await diff('--json')).stdout) as readonly ContractDiff[];
      expect(told?.changes.find(({ kind }) => kind === 'enum-value-removed')?.usage).to.deep.equal({
        count: 4,
        days: 1,
        rate: 1,
        clients: { 'mobile/4.2': 2, 'web/1': 2 },
      });
      for (const format of ['markdown', 'github'])
        expect((await diff('--format', format)).stdout).to.include('used 4 times in 1 day by');
    });

    it('takes the most used part of an operation for a change of several', async () => {
      await counted((client) => client.listOrders());
      await changed(
        ['colour: { type: string }', 'colour: { type: integer }'],
        ['[open, sent, lost]', '[open]'],
      );
      const { stdout } = await diff('--for', 'server');
      expect(stdout).to.match(/state: the value "sent" is removed\n.*\n {2}used once in 1 day\n/);
    });

    it('says that the counts are made up from a sample, and that bodies could not be read', async () => {
      await mkdir('usage');
      const days = Array.from({ length: 30 }, (_, day) => `2026-11-${String(day + 1).padStart(2, '0')}`);
      const parts = { 'DELETE /orders/{id}': { a: 4000, b: 100, c: 60, d: 50 } };
      await writeFile(
        'usage/1.json',
        JSON.stringify({ usage: 1, days, rate: 0.07, unread: 1234, dropped: 0, parts }),
      );
      await changed(
        [/ {2}\/orders\/\{id\}:[^]*components:/, 'components:'],
        ['[newest, oldest]', '[newest]'],
      );
      expect(await uses()).to.deep.equal({
        'DELETE /orders/{id}: the operation is removed':
          'used about 4,210 times in 30 days, of whose exchanges 7 % were seen by a (4,000), b (100), c (60), and 1 more',
        'GET /orders: request query sort: the value "oldest" is removed':
          'not used in 30 days, of whose exchanges 7 % were seen',
      });
      const other = {
        usage: 1,
        days,
        rate: 1,
        unread: 0,
        dropped: 0,
        parts: { 'GET /bills': { unnamed: 1 } },
      };
      await writeFile('other.json', JSON.stringify(other));
      const { stderr } = await run('diff', 'openapi.yaml', 'new.yaml', '--usage', 'other.json');
      expect(stderr).to.include(
        'No operation of the contract was counted: the usage may be that of another API.\n',
      );
      expect((await diff()).stderr).to.include(
        '1,234 bodies could not be read, so their members are not counted.\n',
      );
    });
  });

  const config = (options: string): string =>
    `import { codegenConfig } from 'concordat';\nexport default codegenConfig({ ${options} });\n`;

  it('is reported of each API in codegen.ts, with files and minima of its own', async () => {
    await counted((client) => client.listOrders());
    const api = (name: string, min: string): string =>
      `${name}: { openapi: 'openapi.yaml', out: '${name}', coverage: { usage: ['usage'], min: 'operations=${min}' } }`;
    await writeFile('codegen.ts', config(`apis: { ${api('orders', '33')}, ${api('bills', '50')} }`));
    const { exitCode, stdout, stderr } = await run('coverage');
    expect([exitCode, stderr]).to.deep.equal([
      1,
      'bills: 33 % of the operations are used, less than 50 %.\n',
    ]);
    expect(stdout).to.include('orders: Used of openapi.yaml in 1 day:\n').and.include('bills: Used of');
    expect((await run('coverage', '--api', 'orders')).exitCode).to.equal(0);
    expect(JSON.parse((await run('coverage', '--json')).stdout)).to.have.nested.property(
      'orders.kinds.operations.used',
      1,
    );
    expect((await run('coverage', '--format', 'github')).stdout).to.include(
      ',title=not-used::bills: POST /orders: the operation is not used',
    );
  });

  const usage = { usage: 1, days: ['2026-11-24'], rate: 1, unread: 0, dropped: 0, parts: {} };
  const refusals: readonly (readonly [message: string | RegExp, ...parameters: string[]])[] = [
    ['none does not exist\n', 'coverage', 'none'],
    ['none does not exist\n', 'diff', 'openapi.yaml', 'openapi.yaml', '--usage', 'none'],
    ['empty has no file of usage\n', 'coverage', 'empty'],
    ['folders/a.json cannot be read\n', 'coverage', 'folders'],
    ['openapi.yaml is no file of usage, as observers write it\n', 'coverage', 'openapi.yaml'],
    ...['broken', 'old', 'negative', 'named', 'dated', 'share'].map(
      (name) =>
        [
          `bad/${name}.json is no file of usage, as observers write it\n`,
          'coverage',
          'good.json',
          `bad/${name}.json`,
        ] as const,
    ),
    [
      /^--min, or coverage.min of codegen.ts, has "methods=80", but needs a kind and a percentage up to 100, .*\n$/,
      'coverage',
      'good.json',
      '--min',
      'methods=80',
    ],
    [
      /^--min, or coverage.min of codegen.ts, has "members=101", .*\n$/,
      'coverage',
      'good.json',
      '--min',
      'operations=1,members=101',
    ],
    [/^--min, or coverage.min of codegen.ts, has "", .*\n$/, 'coverage', 'good.json', '--min', ''],
    [/^none.yaml .*the file does not exist\n$/, 'coverage', 'good.json', '--openapi', 'none.yaml'],
    [/^--usage is the use of an OpenAPI document/, 'diff', 'a.graphql', 'b.graphql', '--usage', 'good.json'],
    ['name files of usage, or write them as usage of coverage into codegen.ts.\n', 'coverage'],
    [
      'shop: the use of a GraphQL schema is not counted; name an OpenAPI document.\n',
      'coverage',
      'good.json',
      '--config',
      'graphql.ts',
    ],
  ];
  for (const [message, ...parameters] of refusals) {
    it(`exits with 2, and one sentence: ${parameters.join(' ')}`, async () => {
      await mkdir('empty');
      await mkdir('folders/a.json', { recursive: true });
      await mkdir('bad');
      await writeFile('good.json', JSON.stringify(usage));
      await writeFile('graphql.ts', config("apis: { shop: { schema: 'schema.graphql', out: 'generated' } }"));
      const bad = {
        broken: '{',
        old: { ...usage, usage: 2 },
        negative: { ...usage, parts: { a: { b: -1 } } },
        named: { ...usage, parts: { a: { b: 'c' } } },
        dated: { ...usage, days: [7] },
        share: { ...usage, rate: 2 },
      };
      for (const [name, value] of Object.entries(bad))
        await writeFile(`bad/${name}.json`, JSON.stringify(value));
      const { exitCode, stdout, stderr } = await run(...parameters);
      expect([exitCode, stdout]).to.deep.equal([2, '']);
      if (typeof message === 'string') expect(stderr).to.equal(message);
      else expect(stderr).to.match(message);
    });
  }
});
