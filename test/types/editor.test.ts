/** What an editor shows: the types under the cursor, and one clear error for each of the most common mistakes. */

import { join } from 'node:path';
import { expect } from 'chai';
import { mkdir, writeFile } from 'node:fs/promises';
import ts from 'typescript';
import { generatedFiles } from '../support/generated-files.js';
import { fixture } from '../codegen/contract-list.js';
import { removeDirectory, temporaryPackage } from '../codegen/generated-contract.js';
import { complaints, strictOptions } from '../codegen/strict-compiler.js';

const SERVICE = 'openapi.yaml';

/** A handler whose names are followed by a mark where the cursor is, and what the editor shows there. */
const HOVERS: readonly (readonly [fixture: string, source: string, shown: readonly string[]])[] = [
  [
    'bodies',
    `export const handler: Handlers['upload'] = (/**/request) => { const { /**/body } = request; throw body; };`,
    [
      '(parameter) request: UploadRequest',
      'const body: { readonly title: string; readonly count: number; readonly details?: Note; readonly labels?: string[]; readonly colors?: Color[]; readonly picture: File; readonly attachments?: File[]; readonly cover?: File; readonly scans?: File[]; readonly raw?: File; }',
    ],
  ],
  [
    'service',
    `export const handler: Handlers['getUser'] = ({ /**/path }, /**/context) => { throw [path, context]; };
declare const handlers: Handlers;
handlers./**/getUser;
export const read = async (/**/answer: GetUserResponse) => answer;`,
    [
      '(parameter) path: { readonly id: string; }',
      '(parameter) context: CallContext<undefined, unknown> & { readonly mediaType: "application/json" | "application/xml"; }',
      '(property) Operations<CallContext<undefined, unknown>>.getUser: Handler<GetUserRequest, GetUserResponse, CallContext<undefined, unknown> & { readonly mediaType: "application/json" | "application/xml"; }>',
      '(parameter) answer: GetUserResponse',
    ],
  ],
];

/** A mistake, and all that the compiler says of it. */
const MISTAKES: readonly (readonly [what: string, source: string, said: string])[] = [
  [
    'a missing handler',
    `export const handlers: Pick<Handlers, 'getUser' | 'deleteUser'> = { getUser: () => { throw 1; } };`,
    `TS2741: Property 'deleteUser' is missing in type '{ getUser: () => never; }' but required in type 'Pick<Handlers, "getUser" | "deleteUser">'.`,
  ],
  [
    'a wrong status',
    `export const handler: Handlers['getUser'] = () => ({ status: 202, body: { error: 'no' } });`,
    `TS2322: Type '202' is not assignable to type '200 | 304 | 400 | 401 | 403 | 404 | 406 | 429 | 500 | 503'.`,
  ],
  [
    'a wrong field of a body',
    `export const handler: Handlers['getUser'] = () => ({ status: 404, body: { eror: 'no' } });`,
    `TS2561: Object literal may only specify known properties, but 'eror' does not exist in type 'Error'. Did you mean to write 'error'?`,
  ],
  [
    'a field of the wrong type',
    `export const handler: Handlers['getUser'] = () => ({ status: 404, body: { error: 5 } });`,
    `TS2322: Type 'number' is not assignable to type 'string'.`,
  ],
  [
    'a field that the request does not have',
    `export const handler: Handlers['getUser'] = ({ path }) => ({ status: 404, body: { error: path.userId } });`,
    `TS2339: Property 'userId' does not exist on type '{ readonly id: string; }'.`,
  ],
  [
    'a part that the request does not have',
    `export const handler: Handlers['deleteUser'] = ({ body }) => { throw body; };`,
    `TS2339: Property 'body' does not exist on type 'DeleteUserRequest'.`,
  ],
];

describe('in an editor', () => {
  let directory: string;
  let said: readonly string[];

  before(async () => {
    directory = await temporaryPackage();
    for (const [name, openapi] of [
      ['service', SERVICE],
      ['bodies', fixture('bodies.openapi-3.1.yaml').file],
    ] as const) {
      await mkdir(join(directory, name));
      for (const [file, text] of Object.entries(await generatedFiles({ openapi }))) {
        await writeFile(join(directory, name, file), text);
      }
    }
    await Promise.all(
      MISTAKES.map(([, source], index) =>
        writeFile(join(directory, fileOf(index)), withImports('service', source)),
      ),
    );
    said = complaints(
      directory,
      MISTAKES.map((_, index) => fileOf(index)),
    );
  });
  after(() => removeDirectory(directory));

  for (const [name, source, shown] of HOVERS) {
    it(`a handler of ${name} shows named types`, () => {
      expect(hovers(join(directory, `hover-${name}.ts`), withImports(name, source))).to.deep.equal(shown);
    });
  }

  for (const [index, [what, , message]] of MISTAKES.entries()) {
    it(`${what} is one error`, () => {
      const own = said.filter((line) => line.startsWith(`${fileOf(index)}:`));
      expect(own.map((line) => inOrder(line.replace(/^.*?: /, '')))).to.deep.equal([message]);
    });
  }
});

/** The compiler lists the members of a union in the order in which it met them. */
function inOrder(message: string): string {
  return message.replace(/\d+(?: \| \d+)+/, (union) => union.split(' | ').toSorted().join(' | '));
}

function fileOf(index: number): string {
  return `mistake-${String(index)}.ts`;
}

function withImports(name: string, source: string): string {
  const types = source.includes('GetUserResponse') ? 'GetUserResponse, Operations' : 'Operations';
  return `import type { CallContext } from '@concordat/runtime';
import type { ${types} } from './${name}/operations.js';

type Handlers = Operations<CallContext<undefined>>;
${source}
`;
}

/** The files that the language service has read, the compiler's libraries among them. */
const documents = ts.createDocumentRegistry();

/** What the language service shows behind each mark of a file, on one line. */
function hovers(file: string, text: string): readonly string[] {
  const read = (name: string) => (name === file ? text : ts.sys.readFile(name));
  const host: ts.LanguageServiceHost = {
    getCompilationSettings: strictOptions,
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: (name) => {
      const source = read(name);
      return source === undefined ? undefined : ts.ScriptSnapshot.fromString(source);
    },
    getCurrentDirectory: () => process.cwd(),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (name) => read(name) !== undefined,
    readFile: read,
  };
  const service = ts.createLanguageService(host, documents);
  return [...text.matchAll(/\/\*\*\//g)].map(({ index }) => {
    const parts = service.getQuickInfoAtPosition(file, index + 4)?.displayParts;
    return ts.displayPartsToString(parts).replaceAll(/\s+/g, ' ');
  });
}
