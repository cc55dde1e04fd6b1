/** The time that generated types cost a compiler and an editor, beside those of openapi-typescript with openapi-fetch. */

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { median } from '../compare.js';
import { type Plan, type Row, milliseconds, rowOf } from '../peers/row.js';
import { cpuSeconds } from '../process-usage.js';
import { generateArgs, inProject, sharedContract } from './contracts.js';
import { cpuMilliseconds } from './cpu-time.js';
import { type DeskTask, cpuTime } from './desk-task.js';

const GITHUB = 'github-rest.openapi-3.0.json';
const OURS = '20 handlers with generated types';
const PEER = '20 calls with openapi-typescript and openapi-fetch';
const TARGET = { required: 1, aim: 0.7 };
const compile: Plan = { work: 'tsc --noEmit on GitHub', ours: OURS, peer: PEER, target: TARGET };
const complete: Plan = { work: 'first completion in an editor', ours: OURS, peer: PEER, target: TARGET };

/** A project with one file, `main.ts`, and the text after which the editor completes. */
interface Project {
  readonly directory: string;
  readonly before: string;
}

export const typesTasks: readonly DeskTask[] = [
  {
    plans: [compile, complete],
    needs: [GITHUB],
    run: async (rounds) =>
      inProject(async (root) => {
        const openapi = sharedContract(GITHUB) ?? '';
        const projects = [ourProject(root, openapi), theirProject(root, openapi)] as const;
        const tsc = join(root, 'node_modules/typescript/bin/tsc');
        const times = await cpuMilliseconds(
          projects.map(({ directory }) => ({ args: [tsc, '-p', directory], directory })),
          rounds,
        );
        const [ours = 0, theirs = 0] = times;
        const compiled = rowOf(compile, cpuTime, { median: ours }, { median: theirs });
        return [compiled, await completions(root, projects, rounds)];
      }),
  },
];

function ourProject(root: string, openapi: string): Project {
  const directory = newProject(root, 'ours');
  run([...generateArgs(GITHUB, openapi, join(directory, 'generated'))]);
  const handlers = reads(openapi).map(
    ({ id }) => `    ${JSON.stringify(id)}: ({ path }) => {\n      throw new Error(path.repo);\n    },\n`,
  );
  const text = `import { restEngine } from '@concordat/runtime';
import { contract } from './generated/routing.js';

export const engine = restEngine({
  contract,
  others: 'next',
  operations: {
${handlers.join('')}  },
  security: {},
  anonymous: undefined,
  report: console.error,
});
`;
  writeFileSync(join(directory, 'main.ts'), text);
  return { directory, before: 'throw new Error(path.' };
}

function theirProject(root: string, openapi: string): Project {
  const directory = newProject(root, 'theirs');
  run([
    join(root, 'node_modules/openapi-typescript/bin/cli.js'),
    openapi,
    '-o',
    join(directory, 'openapi.d.ts'),
  ]);
  const calls = reads(openapi).map(({ path }, index) => {
    const key = JSON.stringify(path);
    return `
export async function read${index}(values: paths[${key}]['get']['parameters']['path']) {
  const { data, error } = await client.GET(${key}, { params: { path: values } });
  if (error) throw error;
  return data;
}
`;
  });
  const text = `import createClient from 'openapi-fetch';
import type { paths } from './openapi.js';

const client = createClient<paths>({ baseUrl: 'http://127.0.0.1' });
${calls.join('')}`;
  writeFileSync(join(directory, 'main.ts'), text);
  return { directory, before: 'client.GET("' };
}

/** Twenty operations that read something of a repository. */
function reads(openapi: string): readonly { readonly id: string; readonly path: string }[] {
  const { paths } = JSON.parse(readFileSync(openapi, 'utf8')) as {
    readonly paths: Readonly<Record<string, { readonly get?: { readonly operationId: string } }>>;
  };
  return Object.entries(paths)
    .flatMap(([path, { get }]) => (get ? [{ id: get.operationId, path }] : []))
    .filter(({ path }) => path.startsWith('/repos/{owner}/{repo}/'))
    .filter((_, index) => index % 7 === 0)
    .slice(0, 20);
}

/** A project with the compiler settings that `concordat init` writes. */
function newProject(root: string, name: string): string {
  const directory = join(root, name);
  mkdirSync(directory);
  const compilerOptions = {
    target: 'es2023',
    lib: ['es2023', 'dom'],
    module: 'nodenext',
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    skipLibCheck: true,
    types: ['node'],
    noEmit: true,
  };
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['main.ts'] }));
  return directory;
}

function run(args: readonly string[]): void {
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${String(status)}: ${stderr.slice(-500)}`);
}

/** Each editor is started anew. The ratio is that of the time that its server has worked: other programs do not change it. */
async function completions(
  root: string,
  projects: readonly [Project, Project],
  rounds: number,
): Promise<Row> {
  const measured = projects.map(() => [] as Completion[]);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, project] of projects.entries())
      measured[index]?.push(await firstCompletion(root, project));
  }
  const [ours, theirs] = measured.map((each) => ({
    median: median(each.map(({ wall }) => wall)),
    cpu: median(each.map(({ cpu }) => cpu)),
  }));
  if (ours === undefined || theirs === undefined) throw new Error('there are two projects');
  return rowOf({ ...complete, target: { ...TARGET, ofCpu: true } }, milliseconds, ours, theirs);
}

interface Completion {
  /** In milliseconds. */
  readonly wall: number;
  /** In microseconds. */
  readonly cpu: number;
}

async function firstCompletion(root: string, { directory, before }: Project): Promise<Completion> {
  const file = join(directory, 'main.ts');
  const text = readFileSync(file, 'utf8');
  const head = text.slice(0, text.indexOf(before) + before.length).split('\n');
  const server = spawn(
    process.execPath,
    [join(root, 'node_modules/typescript/lib/tsserver.js'), '--disableAutomaticTypingAcquisition'],
    { stdio: ['pipe', 'pipe', 'ignore'] },
  );
  const ask = (seq: number, command: string, args: object): void => {
    server.stdin.write(`${JSON.stringify({ seq, type: 'request', command, arguments: args })}\n`);
  };
  const start = performance.now();
  ask(1, 'open', { file, fileContent: text });
  ask(2, 'completionInfo', { file, line: head.length, offset: (head.at(-1)?.length ?? 0) + 1 });
  try {
    for await (const line of createInterface({ input: server.stdout })) {
      if (!line.startsWith('{')) continue;
      const message = JSON.parse(line) as {
        readonly command?: string;
        readonly body?: { readonly entries: object[] };
      };
      if (message.command !== 'completionInfo') continue;
      if (!message.body?.entries.length) throw new Error(`${file}: the editor has nothing to complete`);
      return { wall: performance.now() - start, cpu: cpuSeconds(server.pid) * 1e6 };
    }
    throw new Error('the editor has ended');
  } finally {
    server.kill();
    await once(server, 'exit');
  }
}
