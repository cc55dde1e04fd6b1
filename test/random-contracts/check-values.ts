/** Compiled checks of bodies: they agree with Ajv. */

import type { Json } from '@concordat/runtime';
import type { OperationModel } from 'concordat/contract';
import type { RunningContract } from '../../src/tools/running/running-contract.js';
import { wireRequest } from '../../src/tools/running/wire-request.js';
import { plainParts } from '../../src/tools/running/plain-parts.js';
import { isNode, jsonSchemaOf, memberOf, partOf } from './parts.js';
import { Finding, type Tried, runningOf } from './tried.js';
import { Judge, mutated } from './values.js';

/** So many operations of a document, and values of each, are tried. */
const MOST_OPERATIONS = 30;
const VALUES = 6;

/** What the checks mean where a document is accepted in spite of these is not what Ajv says. */
const UNLIKE_AJV =
  /bad-pattern|slow-pattern|undecided|invalid-keyword|exclusive-bound|required-flag|dialect|endless|discriminator/;

/** Keywords that mean nothing to Ajv, and the name of a member for which it reads the prototype of a value. */
const UNLIKE_AJV_BY_NAME = /"(?:readOnly|writeOnly|discriminator|__proto__)":/;

/** Whether some checks of a document mean something else to Ajv. */
export const isUnlikeAjv = ({ document, accept = [] }: Tried): boolean =>
  accept.some((each) => UNLIKE_AJV.test(each)) || UNLIKE_AJV_BY_NAME.test(JSON.stringify(document));

export async function checkValues(tried: Tried): Promise<void> {
  const { document, random } = tried;
  if (isUnlikeAjv(tried)) return;
  const judge = new Judge(document);
  const running = await runningOf(tried);
  const { operations } = running.model;
  const hasDefaults = JSON.stringify(document).includes('"default":');
  const start = random.whole(0, Math.max(0, operations.length - MOST_OPERATIONS));
  for (const operation of operations.slice(start, start + MOST_OPERATIONS)) {
    const { id, method, path } = operation;
    const found = partOf(document, path, method);
    const responses = memberOf(found, 'responses');
    for (const status of isNode(responses) ? Object.keys(responses) : []) {
      if (!/^[2-5]\d\d$/.test(status)) continue;
      const schema = jsonSchemaOf(found, status);
      const check = schema === undefined ? undefined : judge.checkOf(schema);
      if (check === undefined) continue;
      for (const value of valuesOf(judge, schema, tried)) {
        compareResponse(running, id, Number(status), value, check);
      }
    }
    const schema = jsonSchemaOf(found);
    const check = schema === undefined ? undefined : judge.checkOf(schema, hasDefaults);
    if (check === undefined) continue;
    for (const value of valuesOf(judge, schema, tried))
      await compareRequest(running, operation, value, check);
  }
}

type Check = (value: unknown) => boolean | undefined;

/** @throws Finding where a response with a body of JSON is judged otherwise than by Ajv */
export function compareResponse(
  running: RunningContract,
  id: string,
  status: number,
  value: unknown,
  check: Check,
): void {
  const given = { status, headers: {}, contentType: 'application/json', body: value as Json };
  const problems = running.objectionsTo(id, given).filter(({ place }) => !place.startsWith('/headers'));
  compare(`the response ${String(status)}`, value, judged(check, value), problems);
}

/** @throws Finding where a request with a body of JSON is judged otherwise than by Ajv */
export async function compareRequest(
  running: RunningContract,
  operation: OperationModel,
  value: unknown,
  check: Check,
): Promise<void> {
  const parts = plainParts(operation, false);
  const media = operation.requestBody?.content.find(({ mediaType }) => mediaType === 'application/json');
  if (parts === undefined || media === undefined) return;
  const { securitySchemes } = running.model;
  const wire = wireRequest({ ...parts, body: { media, value: value as Json } }, securitySchemes);
  if (wire === undefined) return;
  const outcome = await running.exactOutcomeOf(wire);
  const isOther =
    'operation' in outcome
      ? outcome.operation !== operation.id
      : outcome.refusal.faults.some((each) => !each.startsWith('body'));
  if (isOther || ('refusal' in outcome && outcome.refusal.status !== 400 && outcome.refusal.status !== 422))
    return;
  compare('the request', value, judged(check, value), 'refusal' in outcome ? [outcome.refusal] : []);
}

function* valuesOf(judge: Judge, schema: unknown, { random }: Tried): Generator {
  for (let count = 0; count < VALUES; count += 1) {
    const value = judge.draw(schema, random);
    yield value;
    yield mutated(value, random);
  }
}

function judged(check: Check, value: unknown): boolean | undefined {
  try {
    return check(structuredClone(value));
  } catch (error) {
    // Ajv overflows the stack on some schemas, and calls the `toString` of a value.
    if (error instanceof RangeError || error instanceof TypeError) return undefined;
    throw error;
  }
}

function compare(
  what: string,
  value: unknown,
  judged: boolean | undefined,
  problems: readonly object[],
): void {
  if (judged === undefined || judged === (problems.length === 0)) return;
  const [problem] = problems;
  const verdict = judged ? `is refused: ${JSON.stringify(problem)}` : 'is taken';
  throw new Finding(
    `what Ajv ${judged ? 'takes' : 'refuses'} as ${what} ${verdict}; the value: ${JSON.stringify(value).slice(0, 500)}`,
  );
}
