/** `--json` of what works with servers: `verify`, `proxy`, `record` and `coverage` print one JSON value and nothing else, which says what the text says. */

import { createServer } from 'node:http';
import { nodeTransport } from '@concordat/runtime/node';
import { basePathOf } from 'concordat/contract';
import { runProgram } from '../../src/codegen/cli/program.js';
import { handlerOf, sandboxOf } from '../../src/tools/mock/mock-handlers.js';
import { runInProcess } from '../support/run-program.js';
import { listening } from '../tools/mock/mock-server.js';
import { type Node, isNode } from './parts.js';
import { Finding, type Tried, inFolder, runningOf } from './tried.js';

export async function checkReports(tried: Tried): Promise<void> {
  const running = await runningOf(tried);
  if (running.model.operations.length === 0) return;
  const prefix = basePathOf(running.document.servers?.[0]) ?? '';
  const credentials = Object.keys(running.model.securitySchemes).flatMap((name) => [
    '--credential',
    `${name}=ada:secret`,
  ]);
  const given = ['--openapi', tried.file];
  /** Verifies a mock that knows nothing yet. */
  const verified = async (...more: readonly string[]) => {
    const mock = handlerOf(tried.file, running, undefined, sandboxOf(running, { prefix }));
    const server = createServer(nodeTransport(mock, { prefix }));
    const url = await listening(server);
    try {
      const how = ['--requests', '20', '--seconds', '600', '--seed', '1'];
      return {
        url,
        run: await runInProcess(runProgram, ['verify', url, ...given, ...credentials, ...how, ...more]),
      };
    } finally {
      server.close();
      server.closeAllConnections();
    }
  };
  const har = inFolder(tried, 'traffic.har');
  const { url, run } = await verified('--json', '--har', har);
  const report = jsonOf('verify', run.stdout, run.stderr);
  const { run: text } = await verified();
  const violations = listOf(report, 'violations').filter(
    (each) => isNode(each) && each['isWarning'] !== true,
  ).length;
  same('verify', [run.exitCode, violations], [text.exitCode, countIn(text.stderr, 'violation')]);

  const usage = inFolder(tried, 'counted');
  const replayed = async (...more: readonly string[]) =>
    runInProcess(runProgram, ['proxy', url, ...given, '--from', har, '--usage', usage, ...more]);
  const proxied = await replayed('--json');
  const deviations = listOf(jsonOf('proxy', proxied.stdout, proxied.stderr), 'deviations').length;
  const proxiedText = await replayed();
  same(
    'proxy',
    [proxied.exitCode, deviations],
    [proxiedText.exitCode, countIn(proxiedText.stderr, 'deviation')],
  );

  const counted = await runInProcess(runProgram, ['coverage', usage, ...given, '--json']);
  const { kinds } = jsonOf('coverage', counted.stdout, counted.stderr);
  const countedText = await runInProcess(runProgram, ['coverage', usage, ...given]);
  const rows = [...countedText.stdout.matchAll(/^([a-z-]+) +(\d+) of (\d+)/gm)];
  const shown = rows.map(([, name = '', used, total]) => [
    name,
    { used: Number(used), total: Number(total) },
  ]);
  same('coverage', [counted.exitCode, kinds], [countedText.exitCode, Object.fromEntries(shown)]);

  const record = async (out: string, ...more: readonly string[]) =>
    runInProcess(runProgram, ['record', url, '--from', har, '--out', inFolder(tried, out), ...more]);
  const recorded = await record('recorded-one.json', '--json');
  jsonOf('record', recorded.stdout, recorded.stderr);
  same('record', recorded.exitCode, (await record('recorded-other.json')).exitCode);
}

const listOf = (value: Node, name: string): readonly unknown[] =>
  Array.isArray(value[name]) ? (value[name] as readonly unknown[]) : [];

/** The number in `3 violations.`, 0 if it is not named. */
const countIn = (text: string, what: string): number =>
  Number(new RegExp(`(\\d+) ${what}s?\\.`).exec(text)?.[1] ?? 0);

function same(command: string, json: unknown, text: unknown): void {
  if (JSON.stringify(json) !== JSON.stringify(text))
    throw new Finding(
      `${command} --json ends with ${JSON.stringify(json)}, and without it with ${JSON.stringify(text)}`,
    );
}

function jsonOf(command: string, stdout: string, stderr: string): Node {
  try {
    const value: unknown = JSON.parse(stdout);
    if (isNode(value)) return value;
  } catch {
    // Reported below.
  }
  throw new Finding(
    `${command} --json prints no JSON object: ${stdout.slice(0, 300)} ${stderr.slice(0, 300)}`,
  );
}
