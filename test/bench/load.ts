/** Measures how many requests per second a server answers, with wrk, or with autocannon when wrk is missing. */

import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../architecture/source-tree.js';
import { LOAD_CORE, onCore } from './cores.js';

const run = promisify(execFile);
const CONNECTIONS = 32;

/** The requests to a server: its paths in turn, repeatedly. */
export interface Load {
  /** Such as `http://127.0.0.1:3000`. */
  readonly url: string;
  readonly paths: readonly [string, ...string[]];
  /** JSON to send with POST; without it the requests are GET. */
  readonly body?: string;
}

/** Sends requests for some seconds. @returns the requests per second */
export type Meter = (load: Load, seconds: number) => Promise<number>;

/** The load generator that is installed, and its name. */
export function findMeter(): { readonly name: string; readonly measure: Meter } {
  const hasWrk = spawnSync('wrk', ['--version']).error === undefined;
  return hasWrk
    ? { name: 'wrk', measure: withFile(wrkScript, runWrk) }
    : { name: 'autocannon', measure: withFile(archive, runAutocannon) };
}

/** Both load generators read their requests from a file. */
function withFile(
  write: (load: Load) => string,
  measure: (load: Load, seconds: number, file: string) => Promise<number>,
): Meter {
  return async (load, seconds) => {
    const directory = mkdtempSync(join(tmpdir(), 'concordat-bench-'));
    try {
      const file = join(directory, 'load');
      writeFileSync(file, write(load));
      return await measure(load, seconds, file);
    } finally {
      rmSync(directory, { recursive: true });
    }
  };
}

/** The requests are formatted once, so that generating the load costs little. */
function wrkScript({ paths, body }: Load): string {
  const format =
    body === undefined
      ? 'wrk.format("GET", path)'
      : `wrk.format("POST", path, { ["Content-Type"] = "application/json" }, ${JSON.stringify(body)})`;
  return `
local paths = { ${paths.map((path) => JSON.stringify(path)).join(', ')} }
local requests, turn = {}, 0
function init() for i, path in ipairs(paths) do requests[i] = ${format} end end
function request()
  turn = turn % #requests + 1
  return requests[turn]
end
`;
}

async function runWrk({ url }: Load, seconds: number, script: string): Promise<number> {
  const [program, ...parameters] = onCore(LOAD_CORE, [
    'wrk',
    '--threads=1',
    `--connections=${CONNECTIONS}`,
    `--duration=${seconds}s`,
    `--script=${script}`,
    url,
  ]);
  const { stdout } = await run(program, parameters);
  if (/Non-2xx|Socket errors/.test(stdout))
    throw new Error(`the server did not answer every request:\n${stdout}`);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
}

/** The part of an HTTP archive (HAR 1.2) that autocannon reads. */
function archive({ url, paths, body }: Load): string {
  const what =
    body === undefined
      ? { method: 'GET', headers: [] }
      : {
          method: 'POST',
          headers: [{ name: 'Content-Type', value: 'application/json' }],
          postData: { text: body },
        };
  const entries = paths.map((path) => ({ request: { url: url + path, ...what } }));
  return JSON.stringify({ log: { version: '1.2', entries } });
}

async function runAutocannon({ url }: Load, seconds: number, har: string): Promise<number> {
  const [program, ...parameters] = onCore(LOAD_CORE, [
    process.execPath,
    join(ROOT, 'node_modules/autocannon/autocannon.js'),
    '--json',
    `--connections=${CONNECTIONS}`,
    `--duration=${seconds}`,
    `--har=${har}`,
    url,
  ]);
  const { stdout } = await run(program, parameters);
  const report = JSON.parse(stdout) as { non2xx: number; errors: number; requests: { average: number } };
  if (report.non2xx + report.errors > 0) throw new Error('the server did not answer every request');
  return report.requests.average;
}
