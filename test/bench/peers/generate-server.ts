/** Generates a server from a contract, in plain JavaScript like a deployed one: the engine behind Koa, with the same handler for every operation. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { generate } from 'concordat';
import { ROOT } from '../../architecture/source-tree.js';

const urlOf = (path: string): string => JSON.stringify(pathToFileURL(join(ROOT, path)).href);

const SERVER = `
import Koa from ${urlOf('node_modules/koa/lib/application.js')};
import { koaTransport } from ${urlOf('src/runtime/dist/transports/koa.js')};
import { restEngine } from ${urlOf('src/runtime/dist/index.js')};
import { contract } from './routing.js';

const text = () => 'text';
const encoders = new Proxy({}, { get: () => text });
const operations = Object.fromEntries(Object.keys(contract.operations).map((id) => [id, () => ({ status: 599 })]));
const security = Object.fromEntries(
  Object.keys(contract.securitySchemes).map((name) => [name, { missing: name, authenticate: () => ({ caller: 0 }) }]),
);
const engine = restEngine({ contract, operations, security, encoders, anonymous: 0, report: () => undefined });
const server = new Koa().use(koaTransport(engine, { unknownPaths: 'answer' }).routes()).listen(0, '127.0.0.1', () => {
  console.log('http://127.0.0.1:' + server.address().port);
});
`;

export interface GeneratedServer {
  /** The program; it prints its URL. */
  readonly file: string;
  /** How long the generation took. */
  readonly seconds: number;
  /** The size of each file in characters, by its name. */
  readonly sizes: ReadonlyMap<string, number>;
  remove(): Promise<void>;
}

/** @param accept - the unsupported features to accept */
export async function generateServer(openapi: string, accept: readonly string[]): Promise<GeneratedServer> {
  const began = performance.now();
  const files = await generate({ openapi, accept });
  const seconds = (performance.now() - began) / 1000;
  const directory = await mkdtemp(join(tmpdir(), 'concordat-large-'));
  const sizes = new Map<string, number>();
  const options = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 };
  for (const [name, source] of Object.entries({
    ...files,
    'server.mjs': SERVER,
    'package.json': '{"type":"module"}',
  })) {
    const isSource = name.endsWith('.ts') && !name.endsWith('.d.ts');
    const output = isSource ? ts.transpileModule(source, { compilerOptions: options }).outputText : source;
    await writeFile(join(directory, isSource ? name.replace(/\.ts$/, '.js') : name), output);
    sizes.set(name, output.length);
  }
  return {
    file: join(directory, 'server.mjs'),
    seconds,
    sizes,
    remove: () => rm(directory, { recursive: true }),
  };
}
