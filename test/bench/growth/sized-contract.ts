/** Generates runnable contracts of any size: resources with the usual five operations each. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { generate } from 'concordat';
import { ROOT } from '../../architecture/source-tree.js';

const OPERATIONS_EACH = 5;

export interface SizedContract {
  /** Of the generated `routing.js`. */
  readonly moduleUrl: string;
  /** One path per resource. */
  readonly paths: readonly [string, ...string[]];
  remove(): void;
}

/** @param operations - how many; a multiple of five */
export async function sizedContract(operations: number): Promise<SizedContract> {
  const numbers = Array.from({ length: operations / OPERATIONS_EACH }, (_, index) => index + 1);
  // Within the package, so that the files can import its dependencies.
  const parent = join(ROOT, 'node_modules/.cache');
  mkdirSync(parent, { recursive: true });
  const directory = mkdtempSync(join(parent, 'concordat-bench-'));
  const file = join(directory, 'openapi.json');
  writeFileSync(file, JSON.stringify(documentOf(numbers)));
  writeFileSync(join(directory, 'package.json'), '{ "type": "module" }');
  const files = await generate({ openapi: file, accept: [] });
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(directory, name.replace(/\.ts$/, '.js')), javaScript(text));
  }
  return {
    moduleUrl: pathToFileURL(join(directory, 'routing.js')).href,
    paths: numbers.map((number) => `/api/resources-${number}/42`) as [string, ...string[]],
    remove: () => rmSync(directory, { recursive: true }),
  };
}

function javaScript(text: string): string {
  const compilerOptions = { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext };
  return ts.transpileModule(text, { compilerOptions }).outputText;
}

function documentOf(numbers: readonly number[]): unknown {
  return {
    openapi: '3.1.0',
    info: { title: 'A contract of a certain size', version: '1' },
    paths: Object.assign({}, ...numbers.map(pathsOf)) as unknown,
    components: {
      schemas: {
        Record: {
          type: 'object',
          required: ['id'],
          additionalProperties: false,
          properties: {
            id: { type: 'string' },
            name: { type: 'string', maxLength: 200 },
            text: { type: 'string' },
          },
        },
      },
    },
  };
}

function pathsOf(number: number): unknown {
  const record = { $ref: '#/components/schemas/Record' };
  const answer = { description: 'A record.', content: { 'application/json': { schema: record } } };
  const requestBody = { required: true, content: { 'application/json': { schema: record } } };
  const operation = (verb: string, rest: object = {}) => ({
    operationId: `${verb}Resource${number}`,
    responses: { '200': answer },
    ...rest,
  });
  return {
    [`/api/resources-${number}`]: { get: operation('list'), post: operation('create', { requestBody }) },
    [`/api/resources-${number}/{id}`]: {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string', maxLength: 20 } }],
      get: operation('get'),
      put: operation('replace', { requestBody }),
      delete: operation('delete'),
    },
  };
}
