/** Runs programs as a user does: outside of npm's environment, with their output kept, and never for ever. */

import { execFile, spawn } from 'node:child_process';
import { delimiter, dirname } from 'node:path';

/** Nothing here takes longer, but for a registry that does not answer. */
const TIMEOUT_MS = 600_000;

/** How long a server may take to say that it listens. */
const START_MS = 120_000;

export interface Output {
  readonly status: number;
  /** What it wrote, to both streams. */
  readonly text: string;
}

/** Runs a JavaScript file, and waits for its end. @param node - the program of Node */
export function runFile(
  node: string,
  parameters: readonly string[],
  cwd: string,
  variables: NodeJS.ProcessEnv = {},
): Promise<Output> {
  const options = {
    cwd,
    env: { ...environmentFor(node), ...variables },
    timeout: TIMEOUT_MS,
    maxBuffer: 1 << 26,
  };
  return new Promise((resolve) => {
    execFile(node, parameters, options, (error, stdout, stderr) => {
      const status = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
      resolve({ status, text: stdout + stderr + (error?.killed ? '\nwas stopped: it took too long' : '') });
    });
  });
}

/** The same, for what must exit with 0. @returns what it wrote @throws with the end of it */
export async function succeeds(
  node: string,
  parameters: readonly string[],
  cwd: string,
  variables?: NodeJS.ProcessEnv,
): Promise<string> {
  const { status, text } = await runFile(node, parameters, cwd, variables);
  if (status !== 0) throw new Error(`exits with ${String(status)}:\n${text.slice(-3000)}`);
  return text;
}

/** Starts the service, uses its pages, and stops it. @throws where it does not start, answer or end well */
export async function serves(node: string, parameters: readonly string[], cwd: string): Promise<void> {
  const child = spawn(node, parameters, {
    cwd,
    env: { ...environmentFor(node), PORT: '0', HOST: '127.0.0.1', DATABASE_URL: 'sqlite:service.db' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let text = '';
  const exit = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const address = new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`does not start:\n${text}`)), START_MS);
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(text) ?? [];
        if (url !== undefined) resolve(url);
      });
    }
    void exit.then(() => reject(new Error(`ends:\n${text}`)));
    void exit.then(() => clearTimeout(timer));
  });
  try {
    const url = await address;
    for (const path of ['/', '/docs', '/graphql', '/openapi.json', '/api/users', '/readyz']) {
      const { status } = await fetch(url + path, { headers: { accept: 'text/html,*/*;q=0.8' } });
      if (status !== 200) throw new Error(`${path} answers ${String(status)}`);
    }
    const query = await fetch(`${url}/graphql?query={__typename}`);
    if (query.status !== 200) throw new Error(`GraphQL answers ${await query.text()}`);
  } finally {
    // npx, its shell and the program are one group.
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
    await exit;
  }
}

/** What a user has: nothing of what `npm run` adds, and this Node first, for scripts that say `node`. */
function environmentFor(node: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(?:npm_(?!config_cache)|NODE_OPTIONS$)/i.test(name),
  );
  const folders = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'));
  return { ...Object.fromEntries(kept), PATH: [dirname(node), ...folders].join(delimiter) };
}
