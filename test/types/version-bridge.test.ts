/** What the compiler says of the conversions of a bridge: one line per fault, which names the operation. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { removeDirectory, temporaryPackage } from '../codegen/generated-contract.js';
import { complaints, complaintsOfMany } from '../codegen/strict-compiler.js';
import { generatePeople } from '../runtime/bridge/people.js';
import { variantsOf } from './programs.js';

const PROGRAM = `import { type CallContext, type RestEngine, type SecurityHandler, restEngine } from '@concordat/runtime';
import { eachItem, versionBridge } from '@concordat/runtime/bridge';
import { contract as from } from './v1/routing.js';
import { contract } from './v2/routing.js';
import type { Operations } from './v2/operations.js';

interface Person { readonly name: string }
type Caller = Person | undefined;
declare const operations: Operations<CallContext<Caller>>;
declare const bearer: SecurityHandler<Caller>;
const to = restEngine({ contract, operations, security: { bearer, key: bearer }, anonymous: undefined as Caller, report: console.error });

export const bridge: RestEngine<Caller> = versionBridge({ from, to, convert: {
  listUsers: { response: (answer) => answer.status === 200 ? { ...answer, body: answer.body.items.map(({ id, fullName }) => ({ id, name: fullName })) } : answer },
  createUser: {
    because: 'a name has at most 10 characters',
    request: ({ body: { name, ...body } }) => ({ body: { ...body, fullName: name.slice(0, 10) } }),
    response: (answer) => answer.status === 201 ? { ...answer, body: { id: answer.body.id, name: answer.body.fullName } } : answer,
  },
  getUser: {
    to: 'readUser',
    response: (answer, { path }) => {
      if (answer.status !== 200) return { ...answer, status: 404 };
      const { fullName } = answer.body;
      return { status: 200, body: { id: path.id, name: fullName } };
    },
  },
  oldReport: { handler: (_request, { caller }) => ({ status: 200, body: String(caller?.name) }) },
  readChanges: { response: (answer) => ({ ...answer, body: eachItem(answer.body, ({ data, ...event }) => ({ ...event, data: data.text })) }) },
  readPages: { response: (answer) => ({ ...answer, body: eachItem(answer.body, ({ fullName }) => ({ name: fullName })) }) },
  importUsers: {
    request: ({ body }) => ({ body: eachItem(body, ({ name, ...user }) => ({ ...user, fullName: name })) }),
    response: (answer) => answer.status === 200 ? { ...answer, body: eachItem(answer.body, ({ id, fullName }) => ({ id, name: fullName })) } : answer,
  },
} });
`;

const LIST = PROGRAM.match(/^ {2}listUsers: .*\n/m)?.[0] ?? '';
const REPORT = PROGRAM.match(/^ {2}oldReport: .*\n/m)?.[0] ?? '';
const IMPORT = PROGRAM.match(/^ {4}request: \(\{ body \}\).*\n/m)?.[0] ?? '';

/** A change of the program with the sentence of the compiler; with none, the program is right. */
const VARIANTS: readonly (readonly [what: string, piece: string, replacement: string, ...says: string[]])[] =
  [
    [
      'allow a conversion with a reason that the types do not show',
      'convert: {',
      "convert: { ping: { because: 'the time is local', response: (answer) => answer },",
    ],
    [
      'refuse a missing entry',
      LIST,
      '',
      'convert.listUsers.response is missing: the types of both versions differ.',
    ],
    [
      'refuse a missing function',
      IMPORT,
      '',
      'convert.importUsers.request is missing: the types of both versions differ.',
    ],
    [
      'refuse a member of another type',
      'id: path.id,',
      'id: path.id.length,',
      'convert.getUser.response is wrong: result.body.id does not fit.',
    ],
    [
      'refuse a result that lacks a member',
      'fullName: name.slice(0, 10)',
      'surname: name',
      'convert.createUser.request is wrong: result.body.fullName does not fit.',
    ],
    [
      'refuse an undeclared status',
      'status: 404 }',
      'status: 409 as const }',
      'convert.getUser.response is wrong: result.status does not fit.',
    ],
    [
      'refuse items of another type',
      'data: data.text',
      'data: 1',
      'convert.readChanges.response is wrong: result.body does not fit.',
    ],
    [
      'refuse a superfluous entry',
      'convert: {',
      'convert: { ping: { response: (answer) => answer },',
      'convert.ping.response is superfluous: the types of both versions fit, and no `because` says what they do not show.',
    ],
    [
      'refuse a superfluous function',
      'listUsers: {',
      'listUsers: { request: (request) => request,',
      'convert.listUsers.request is superfluous: the types of both versions fit, and no `because` says what they do not show.',
    ],
    [
      'refuse an operation that version 2 lacks',
      REPORT,
      '',
      'convert.oldReport needs `to` or `handler`: version 2 has no operation of this name.',
    ],
    [
      'refuse an entry that names no other',
      REPORT,
      '  oldReport: {},\n',
      'convert.oldReport needs `to` or `handler`: version 2 has no operation of this name.',
    ],
    [
      'refuse an operation that version 1 lacks',
      'convert: {',
      'convert: { other: {},',
      'convert.other names no operation of version 1.',
    ],
    [
      'refuse two faults in one line',
      PROGRAM.slice(PROGRAM.indexOf(LIST), PROGRAM.indexOf('  getUser: ')),
      '',
      'convert.createUser.request is missing: the types of both versions differ.',
      'convert.createUser.response is missing: the types of both versions differ.',
      'convert.listUsers.response is missing: the types of both versions differ.',
    ],
  ];

/** A contract with a thousand operations, of which one differs. */
const MANY = `import type { RestContract, RestEngine } from '@concordat/runtime';
import { versionBridge } from '@concordat/runtime/bridge';

type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
type Id = \`get\${Digit}\${Digit}\${Digit}\`;
type Get<Body> = (request: { readonly path: { readonly id: string } }, context: unknown) =>
  { readonly status: 200; readonly body: Body } | { readonly status: 404 };
interface V1 extends Record<Exclude<Id, 'get000'>, Get<string>> { readonly get000: Get<string> }
interface V2 extends Record<Exclude<Id, 'get000'>, Get<string>> { readonly get000: Get<number> }
declare const from: RestContract<Id, never, V1>;
declare const to: RestEngine<undefined, unknown, V2>;
export const bridge = versionBridge({ from, to, convert: {
  get000: { response: (answer) => answer.status === 200 ? { ...answer, body: String(answer.body) } : answer },
} });
`;

describe('the types of a bridge between versions', () => {
  let directory = '';
  const files = VARIANTS.map((_, index) => `variant-${String(index)}.ts`);

  before(async () => {
    directory = await temporaryPackage();
    for (const version of [1, 2] as const) await generatePeople(directory, version);
    const refusals = VARIANTS.map(([what, ...change]) => ({
      what,
      change: [change[0], change[1]] as const,
      says: /./,
    }));
    const [program = '', ...variants] = variantsOf({ title: '', program: PROGRAM, refusals });
    await writeFile(join(directory, 'program.ts'), program);
    await writeFile(join(directory, 'many.ts'), MANY);
    for (const [index, text] of variants.entries())
      await writeFile(join(directory, files[index] ?? ''), text);
  });
  after(() => removeDirectory(directory));

  for (const [version, compile] of [
    ['5.9', complaints],
    ['7', complaintsOfMany],
  ] as const) {
    describe(`with TypeScript ${version}`, () => {
      let said: readonly string[] = [];
      before(() => {
        said = compile(directory, ['program.ts', 'many.ts', ...files]);
      });

      it('let a right program compile, and a bridge between contracts with a thousand operations', () => {
        expect(said.filter((line) => !line.startsWith('variant-'))).to.deep.equal([]);
      });

      for (const [index, [what, , , ...sentences]] of VARIANTS.entries()) {
        it(what, () => {
          const own = said.filter((line) => line.startsWith(`variant-${String(index)}.ts:`));
          expect(own).to.have.lengthOf(sentences.length > 0 ? 1 : 0);
          for (const sentence of sentences)
            expect(own[0]).to.include('TS2684').and.to.include(`"${sentence}"`);
          expect(own.join('').includes('\n')).to.equal(false);
        });
      }
    });
  }
});
