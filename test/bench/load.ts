/** Measures how many requests per second a server answers, with wrk, or with autocannon when wrk is missing. */

import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../architecture/source-tree.js';
import { LOAD_CORE, onCore } from './cores.js';

const run = promisify(execFile);
/** How many connections send requests, unless a load says otherwise. */
const CONNECTIONS = 32;

/** The requests to a server: its paths in turn, repeatedly. */
export interface Load {
  /** Such as `http://127.0.0.1:3000`. */
  readonly url: string;
  readonly paths: readonly [string, ...string[]];
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON to send with POST; without it the requests are GET. {@link UNIQUE} in it differs in each request. */
  readonly body?: string;
  /** How many connections send them; 32 unless given. */
  readonly connections?: number;
}

/** In a body, a place for text that no other request has: autocannon's own notation. */
export const UNIQUE = '[<id>]';

/** What a server answered. */
export interface Measured {
  readonly requests: number;
  /** Requests per second. */
  readonly rate: number;
}

/** Sends requests for some seconds. */
export type Meter = (load: Load, seconds: number) => Promise<Measured>;

const AUTOCANNON = join(ROOT, 'test/bench/peers/node_modules/autocannon/autocannon.js');

/** The load generator that is installed, and its name. @throws an error that says how to install one */
export function findMeter(): { readonly name: string; readonly measure: Meter } {
  const hasWrk = spawnSync('wrk', ['--version']).error === undefined;
  if (!hasWrk && !existsSync(AUTOCANNON))
    throw new Error('there is neither wrk nor autocannon: npm install --prefix test/bench/peers');
  return hasWrk
    ? { name: 'wrk', measure: withFile(wrkScript, runWrk) }
    : { name: 'autocannon', measure: withFile(archive, runAutocannon) };
}

/** Both load generators read their requests from a file. */
function withFile(
  write: (load: Load) => string,
  measure: (load: Load, seconds: number, file: string) => Promise<Measured>,
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

/** Counts the runs, so that what is unique in one is unique in all. */
let runs = 0;

/** The requests are formatted once, so that generating the load costs little. What is unique has a fixed length. */
function wrkScript({ paths, headers, body }: Load): string {
  runs += 1;
  const unique = `run-${String(process.pid)}-${String(runs)}-%09d`;
  const filled = body?.replaceAll(UNIQUE, unique.replace('%09d', '000000000'));
  return `
local paths = { ${paths.map((path) => JSON.stringify(path)).join(', ')} }
local headers = { ${Object.entries(allHeaders(headers, body))
    .map(([name, value]) => `[${JSON.stringify(name)}] = ${JSON.stringify(value)}`)
    .join(', ')} }
local body = ${filled === undefined ? 'nil' : JSON.stringify(filled)}
local requests, starts, ends, turn, count = {}, {}, {}, 0, 0
function init()
  for i, path in ipairs(paths) do
    requests[i] = wrk.format(${body === undefined ? '"GET"' : '"POST"'}, path, headers, body)
    local from, to = string.find(requests[i], "-000000000", 1, true)
    if from then starts[i] = string.sub(requests[i], 1, from) ends[i] = string.sub(requests[i], to + 1) end
  end
end
function request()
  turn = turn % #requests + 1
  if not starts[turn] then return requests[turn] end
  count = count + 1
  return starts[turn] .. string.format("%09d", count) .. ends[turn]
end
`;
}

function allHeaders(headers: Load['headers'], body: string | undefined): Readonly<Record<string, string>> {
  return { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers };
}

async function runWrk(
  { url, connections = CONNECTIONS }: Load,
  seconds: number,
  script: string,
): Promise<Measured> {
  const [program, ...parameters] = onCore(LOAD_CORE, [
    'wrk',
    '--threads=1',
    `--connections=${connections}`,
    `--duration=${seconds}s`,
    // On a busy machine some requests wait for long.
    '--timeout=30s',
    `--script=${script}`,
    url,
  ]);
  const { stdout } = await run(program, parameters);
  if (/Non-2xx|Socket errors/.test(stdout))
    throw new Error(`the server did not answer every request:\n${stdout}`);
  return {
    requests: Number(/(\d+) requests in/.exec(stdout)?.[1]),
    rate: Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]),
  };
}

/** The part of an HTTP archive (HAR 1.2) that autocannon reads. */
function archive({ url, paths, headers, body }: Load): string {
  const what = {
    method: body === undefined ? 'GET' : 'POST',
    headers: Object.entries(allHeaders(headers, body)).map(([name, value]) => ({ name, value })),
    ...(body !== undefined && { postData: { text: body } }),
  };
  const entries = paths.map((path) => ({ request: { url: url + path, ...what } }));
  return JSON.stringify({ log: { version: '1.2', entries } });
}

async function runAutocannon(
  { url, body, connections = CONNECTIONS }: Load,
  seconds: number,
  har: string,
): Promise<Measured> {
  const [program, ...parameters] = onCore(LOAD_CORE, [
    process.execPath,
    AUTOCANNON,
    '--json',
    `--connections=${connections}`,
    `--duration=${seconds}`,
    `--har=${har}`,
    ...(body?.includes(UNIQUE) === true ? ['--idReplacement'] : []),
    url,
  ]);
  const { stdout } = await run(program, parameters);
  const report = JSON.parse(stdout) as {
    non2xx: number;
    errors: number;
    requests: { average: number; total: number };
  };
  if (report.non2xx + report.errors > 0) throw new Error('the server did not answer every request');
  return { requests: report.requests.total, rate: report.requests.average };
}
