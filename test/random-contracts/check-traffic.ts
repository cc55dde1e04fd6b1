/** `mock --state`, `verify`, `proxy`, `record` and `coverage`: each takes what the one before it made. */

import { createServer } from 'node:http';
import { Problem } from '@concordat/runtime';
import { nodeTransport } from '@concordat/runtime/node';
import { generateFrom } from '../../src/codegen/generator/generate.js';
import { basePathOf } from 'concordat/contract';
import { MockAnswers } from '../../src/tools/mock/mock-answers.js';
import { conditionsOf } from '../../src/tools/mock/mock-conditions.js';
import type { RunningContract } from '../../src/tools/running/running-contract.js';
import { handlerOf, sandboxOf } from '../../src/tools/mock/mock-handlers.js';
import { startRecorder } from '../../src/tools/record/recorder.js';
import { startProxy } from '../../src/tools/traffic/proxy.js';
import { coverageOf } from '../../src/tools/usage/coverage.js';
import { readUsage } from '../../src/tools/usage/usage-file.js';
import type { Violation } from '../../src/tools/verify/run/verify-report.js';
import { verifyContracts } from '../../src/tools/verify/verify-contracts.js';
import { listening } from '../tools/mock/mock-server.js';
import { jsonSchemaOf, partOf } from './parts.js';
import { Finding, type Tried, inFolder, runningOf } from './tried.js';
import { Judge } from './values.js';

/** The requests of `verify` to the mock. */
const REQUESTS = 50;

export async function checkTraffic(tried: Tried): Promise<void> {
  const running = await runningOf(tried);
  if (running.model.operations.length === 0 || !canAnswer(tried, running)) return;
  const prefix = basePathOf(running.document.servers?.[0]) ?? '';
  const mock = handlerOf(tried.file, running, undefined, sandboxOf(running, { prefix }));
  const server = createServer(nodeTransport(mock, { prefix }));
  const target = new URL(`${await listening(server)}/`);
  const usage = inFolder(tried, 'usage');
  const recorded = inFolder(tried, 'recorded.json');
  const options = { title: 'R', templates: [], enums: true, examples: true };
  const recorder = await startRecorder({ target, file: recorded, ...options });
  const proxy = await startProxy({
    ...{ target, file: tried.file, usage, consume: recorder.consume },
    ...{ host: '127.0.0.1', port: 0, bodyLimit: 262_144 },
  });
  try {
    const { securitySchemes } = running.model;
    const report = await verifyContracts({
      ...{ url: proxy.url ?? '', openapi: tried.file, graphqlPath: '/graphql', headers: {} },
      ...{ requests: REQUESTS, seconds: 600, seed: 1, warn: [], protect: [] },
      credentials: Object.fromEntries(Object.keys(securitySchemes).map((name) => [name, 'ada:secret'])),
    });
    const isFault = ({ isWarning, rule }: Violation): boolean => !isWarning && rule !== 'no-success';
    const violation = report.violations.find(isFault);
    if (violation !== undefined) {
      const { rule, operation, about, message, curl, answer } = violation;
      throw new Finding(
        `verify finds ${rule} in the mock: ${operation}: ${about}: ${message}\n${curl.join('\n')}\n${JSON.stringify(answer)}`,
      );
    }
    const { deviations } = await proxy.finish();
    // The mock refuses what the contract refuses, declared or not.
    const deviation = deviations.find(
      ({ side, kind }) => side === 'response' && kind !== 'undeclared-status',
    );
    if (deviation !== undefined)
      throw new Finding(
        `proxy finds a deviation in the mock: ${deviation.id}: ${deviation.detail}: ${JSON.stringify(deviation.example)}`,
      );
    const { unused } = coverageOf(tried.file, running, readUsage([usage]));
    const missing = report.operations.find(
      ({ name, successes }) =>
        successes > 0 && unused.some((each) => each.kind === 'operations' && each.name === name),
    );
    if (missing !== undefined) throw new Finding(`coverage does not count ${missing.name}`);
    await recorder.finish();
    await generateFrom({ openapi: recorded }).catch((error: unknown) => {
      throw new Finding(`what record writes is refused: ${String(error)}`);
    });
  } finally {
    await proxy.finish();
    server.close();
    server.closeAllConnections();
  }
}

/**
 * Whether the mock can make each declared body, and each operation declares a response: without one, every answer is against the contract.
 *
 * @throws Finding where it makes none although there is one
 */
function canAnswer({ document, random }: Tried, running: RunningContract): boolean {
  const answers = new MockAnswers(running, conditionsOf({}));
  const judge = new Judge(document);
  let isAble = true;
  for (const { id, method, path, responses } of running.model.operations.slice(0, 100)) {
    if (responses.length === 0) isAble = false;
    for (const { status } of responses) {
      try {
        answers.answer(id, { code: status.replace('XX', '50').replace('default', '299') });
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        isAble = false;
        const schema = jsonSchemaOf(partOf(document, path, method), status);
        const check = schema === undefined ? undefined : judge.checkOf(schema);
        if (check === undefined) continue;
        const fitting = Array.from({ length: 30 }, () => judge.draw(schema, random)).filter(check);
        // Of a schema that few values fit, none may be found.
        if (fitting.length >= 10)
          throw new Finding(
            `mock makes no body although there is one: ${JSON.stringify(fitting[0]).slice(0, 300)}`,
          );
      }
    }
  }
  return isAble;
}
