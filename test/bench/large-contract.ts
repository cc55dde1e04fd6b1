/**
 * The cost of a large contract: the time to generate from it, and from `node` to the first answer of a server on it.
 * `npm run bench -- large-contract <openapi file> [accepted feature …]`.
 */

import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { ROOT } from '../architecture/source-tree.js';
import { generate } from '@concordat/codegen';
import { median } from './compare.js';

const ROUNDS = 5;

/** Plain JavaScript, like a deployed server: the engine behind Koa, with the same handler for every operation. */
const SERVER = `
import Koa from ${JSON.stringify(pathToFileURL(join(ROOT, 'node_modules/koa/lib/application.js')).href)};
import { koaTransport } from ${JSON.stringify(pathToFileURL(join(ROOT, 'src/runtime/dist/transports/koa.js')).href)};
import { restEngine } from ${JSON.stringify(pathToFileURL(join(ROOT, 'src/runtime/dist/index.js')).href)};
import { contract } from './routing.js';

const text = () => 'text';
const encoders = new Proxy({}, { get: () => text });
const operations = Object.fromEntries(Object.keys(contract.operations).map((id) => [id, () => ({ status: 599 })]));
const security = Object.fromEntries(
  Object.keys(contract.securitySchemes).map((name) => [name, { missing: name, authenticate: () => ({ caller: 0 }) }]),
);
const engine = restEngine({ contract, operations, security, encoders, anonymous: 0, report: () => undefined });
const server = new Koa().use(koaTransport(engine, { unknownPaths: 'answer' }).routes()).listen(0, '127.0.0.1', () => {
  console.log(server.address().port);
});
`;

interface Start {
  readonly milliseconds: number;
  readonly megabytes: number;
}

/** Measures one start, until the first answer of any kind. */
async function start(directory: string): Promise<Start> {
  const began = performance.now();
  const child = spawn(process.execPath, [join(directory, 'server.mjs')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const port = await new Promise<string>((resolve, reject) => {
      child.stdout.once('data', (data: Buffer) => {
        resolve(data.toString().trim());
      });
      child.once('exit', () => {
        reject(new Error('the server did not start'));
      });
    });
    await fetch(`http://127.0.0.1:${port}/`);
    const milliseconds = performance.now() - began;
    await setTimeout(200);
    return { milliseconds, megabytes: await residentMegabytes(child.pid ?? 0) };
  } finally {
    child.kill();
  }
}

async function residentMegabytes(pid: number): Promise<number> {
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(await readFile(`/proc/${String(pid)}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

const [openapi, ...accept] = process.argv.slice(2);
if (openapi === undefined) throw new Error('name an OpenAPI file');

const directory = await mkdtemp(join(tmpdir(), 'concordat-large-'));
try {
  const began = performance.now();
  const files = await generate({ openapi, accept });
  console.log(`generated in ${((performance.now() - began) / 1000).toFixed(1)} s`);
  const options = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 };
  for (const [name, source] of Object.entries({
    ...files,
    'server.mjs': SERVER,
    'package.json': '{"type":"module"}',
  })) {
    const isSource = name.endsWith('.ts') && !name.endsWith('.d.ts');
    const output = isSource ? ts.transpileModule(source, { compilerOptions: options }).outputText : source;
    await writeFile(join(directory, isSource ? name.replace(/\.ts$/, '.js') : name), output);
    if (output.length > 100_000) console.log(`  ${name}: ${(output.length / 1e6).toFixed(1)} MB`);
  }
  const starts: Start[] = [];
  for (let round = 0; round < ROUNDS; round += 1) starts.push(await start(directory));
  const milliseconds = median(starts.map((each) => each.milliseconds));
  const megabytes = median(starts.map((each) => each.megabytes));
  console.log(
    `first answer ${milliseconds.toFixed(0)} ms after node starts; ${megabytes.toFixed(0)} MB resident`,
  );
} finally {
  await rm(directory, { recursive: true });
}
