/** A contract may use every name that generated code uses: its types compile, and its checks decide as before. */

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import ts from 'typescript';
import { HELPER_NAMES } from '../../src/codegen/checks/compiler/helpers.js';
import { FIRST_ENCODED, IS_SCALAR, WITHIN } from '../../src/codegen/generator/conversions/value-helpers.js';
import { memoryRequest } from '../../src/runtime/http/memory-request.js';
import { fixture } from './contract-list.js';
import { generateContract, removeDirectory, temporaryPackage, writeStarter } from './generated-contract.js';
import { complaintsOfMany } from './strict-compiler.js';
import { loadModules } from './generated-modules.js';
import { someOf } from '../support/budget.js';
import { generatedFiles } from '../support/generated-files.js';
import { documentOf, generated } from './written-contract.js';

const VALUES = { 'date-time': 'Date', int64: 'bigint' } as const;

describe('a contract with the names of generated code', () => {
  let home = '';
  before(async () => {
    home = await temporaryPackage();
  });
  after(() => removeDirectory(home));

  it('compiles under our strict settings, and checks each body', async () => {
    const fixtures = [
      'outgoing.openapi-3.1.yaml',
      'streams.openapi-3.2.yaml',
      'uploads.openapi-3.0.yaml',
      'schemas.openapi-3.1.json',
      'responses.openapi-3.0.yaml',
      'webhooks.openapi-3.1.yaml',
    ];
    const names = new Set<string>([
      'constructor',
      '__proto__',
      'toString',
      'hasOwnProperty',
      'Union',
      'delete',
      'default',
      'class',
    ]);
    for (const name of fixtures) {
      const { file, accept } = fixture(name);
      for (const [path, text] of Object.entries(
        await generatedFiles({
          openapi: file,
          accept,
          values: VALUES,
          clientTypes: true,
          standardSchemas: true,
        }),
      ))
        for (const each of namesIn(path, text)) names.add(each);
    }
    for (const name of [...HELPER_NAMES, 'values', 'pattern', 'Schemas', 'T', 'K']) names.add(name);
    for (const name of namesIn('values.ts', `${WITHIN}${IS_SCALAR}${FIRST_ENCODED}`)) names.add(name);
    expect(names).to.include.all.keys(
      'Promise',
      'Record',
      'components',
      'AsyncIterable',
      'check',
      'isObject',
      'within',
      'Handler',
      'Schemas',
      'Object',
      'Date',
      'isUnique',
      'T',
    );
    const tried = [...new Set([...ODD_NAMES, ...someOf([...names], 4)])];
    await writeFile(join(home, 'openapi.json'), JSON.stringify(contractOf(tried)));
    const out = join(home, 'generated');
    await mkdir(out);
    const { start } = await generateContract(out, { openapi: join(home, 'openapi.json'), values: VALUES });
    expect(complaintsOfMany(home, ['generated/starter.ts', 'generated/outgoing.ts'])).to.deep.equal([]);
    const engine = start({
      operations: Object.fromEntries(
        tried.map((name) => [name, () => ({ status: 200, body: { at_: new Date(0), [name]: 'a' } })]),
      ),
      security: Object.fromEntries(
        tried.map((name) => [name, { missing: 'no', authenticate: () => ({ refused: 'no' }) }]),
      ),
      report: () => undefined,
    });
    for (const [index, name] of tried.entries()) {
      const statusOf = async (body: object): Promise<number> =>
        (
          await engine(
            memoryRequest({
              method: 'POST',
              path: `/p${String(index)}`,
              headers: { 'content-type': 'application/json' },
              body: JSON.stringify(body),
            }),
          )
        ).status;
      const good = { at_: '1970-01-01T00:00:00Z' };
      // A member named __proto__ is no prototype.
      expect(
        [
          await statusOf({ ...good, [name]: 'a' }),
          await statusOf(JSON.parse(`{"at_":"${good.at_}",${JSON.stringify(name)}:"too long"}`) as object),
        ],
        name,
      ).to.deep.equal([200, 400]);
    }
    console.log(`      ${String(tried.length)} names`);
  });

  it('has checks that accept everything beside checks whose functions would have their names', async () => {
    const taking = (name: string): object => ({
      post: {
        requestBody: {
          content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
        },
        responses: { 204: { description: 'Nothing' } },
      },
    });
    const id = { id: { type: 'string', readOnly: true } };
    const schemas = {
      checkFoo: {},
      Foo: { type: 'object', properties: id },
      Bar: { type: 'object', properties: { foo: { $ref: '#/components/schemas/Foo' } } },
    };
    const paths = { '/a': taking('checkFoo'), '/b': taking('Foo'), '/c': taking('Bar') };
    const { exports } = loadModules(await generated(documentOf({ paths, components: { schemas } })));
    const checks = exports['validators.ts'] as Readonly<Record<string, (value: unknown) => boolean>>;
    const verdicts = ['checkFooRequest', 'fooRequest'].map((name) => checks[name]?.({ id: 'a' }));
    expect(verdicts).to.deep.equal([true, false]);
  });

  it('compiles where two operations have one operationId', async () => {
    const answering = (type: string) => ({
      operationId: 'twice',
      responses: { 200: { description: 'It', content: { 'application/json': { schema: { type } } } } },
    });
    const paths = { '/a': { get: answering('string') }, '/b': { get: answering('integer') } };
    const out = join(home, 'twice');
    await mkdir(out);
    for (const [name, text] of Object.entries(
      await generated(documentOf({ paths }), ['duplicate-operation-id']),
    ))
      await writeFile(join(out, name), text);
    await writeStarter(out);
    expect(complaintsOfMany(home, ['twice/starter.ts', 'twice/openapi.ts'])).to.deep.equal([]);
  });

  it('imports what the code mentions, and not what a text of the contract does', async () => {
    const summary =
      'paths["/a"] webhooks[0] Readable<Writable<WithFiles<ItemOf<Status2XX check.a answer.b value.c';
    const post = { summary, responses: { 204: { description: summary } } };
    const text = await generated(documentOf({ webhooks: { [summary]: { post } } }));
    for (const name of ['operations.ts', 'outgoing.ts']) {
      const imported = text[name]?.match(/^import .*$/gm) ?? [];
      expect(imported.join('\n'), name).to.not.match(/paths|webhooks|able|check|answer|value/);
    }
  });
});

/** Names that begin no identifier, have no letter of one, or differ in what identifiers leave out or in case. */
const ODD_NAMES = [
  ...['400', '0', '00', '1st', '-', '.', '_', 'a-b', 'a_b', 'a.b', 'aB', 'AB', 'ab', '400Schema', '_400'],
  // Percent signs and hashes mean something in a reference.
  ...['%', '%41', 'a%2Fb', '%zz', 'a#b'],
  ...['日本', 'ü', '🎉', 'a b', 'a\u2E2Fb', "it's", 'क्षि'],
];

/** A contract with a schema, parameters, responses, an operation, a webhook, a callback and a scheme of each name. */
function contractOf(names: readonly string[]): object {
  const of = <Part>(part: (name: string, index: number) => Part): Readonly<Record<string, Part>> =>
    Object.fromEntries(names.map((name, index) => [name, part(name, index)]));
  const reference = (kind: string, name: string) => ({
    $ref: `#/components/${kind}/${encodeURIComponent(name)}`,
  });
  const json = (name: string) => ({ 'application/json': { schema: reference('schemas', name) } });
  const sent = (name: string) => ({
    post: {
      requestBody: { content: json(name) },
      responses: { 200: reference('responses', name) },
    },
  });
  return documentOf({
    paths: Object.fromEntries(
      names.map((name, index) => [
        `/p${String(index)}`,
        {
          post: {
            operationId: name,
            parameters: [reference('parameters', name)],
            requestBody: { required: true, content: json(name) },
            responses: {
              200: reference('responses', name),
              400: { description: 'Wrong', content: { 'application/json': { schema: {} } } },
            },
            ...(index < 20 && { callbacks: { [name]: { '{$request.body#/url}': sent(name) } } }),
          },
        },
      ]),
    ),
    webhooks: of(sent),
    components: {
      schemas: of((name) => ({
        type: 'object',
        required: ['at_'],
        properties: {
          at_: { type: 'string', format: 'date-time' },
          [name]: { type: 'string', maxLength: 3 },
          // One function has two properties of the name.
          more_: { type: 'object', properties: { [name]: { type: 'string', maxLength: 3 } } },
          id_: { type: 'string', readOnly: true },
          size_: { type: 'integer', format: 'int64', default: 1 },
        },
      })),
      parameters: of((name) => ({ name, in: 'query', schema: { type: 'string', maxLength: 3 } })),
      responses: of((name, index) => ({
        description: 'One',
        headers: { [`X-${/^[\w.-]+$/.test(name) ? name : String(index)}`]: { schema: { type: 'string' } } },
        content: json(name),
      })),
      securitySchemes: of(() => ({ type: 'http', scheme: 'bearer' })),
    },
  });
}

/** Every name in a file, also of properties, that a component may have. */
function namesIn(path: string, text: string): readonly string[] {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) names.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true));
  // Names of the fixture's own operations are none that generated code has for itself.
  const isDerived = (name: string): boolean =>
    /^\p{Ll}\w*(?:Operation|Request|Response|Parameters|Body\w*|\d{3}\w*)$/u.test(name);
  return [...names].filter((name) => /^[\w.-]+$/.test(name) && !isDerived(name));
}
