/** Tests that what is made for the schemas of contracts is what their compiled checks take. */

import { expect } from 'chai';
import fc from 'fast-check';
import {
  type Answer,
  type Check,
  type OperationContract,
  type RestContract,
  restEngine,
} from '@concordat/runtime';
import { arbitraryOf } from '@concordat/tools/fast-check';
import { copied } from '@concordat/runtime/parts';
import { testClient } from '@concordat/runtime/testing';
import { type RunningContract, runContract } from '../../../src/tools/running/running-contract.js';
import { heightOf } from '../../../src/tools/values/inner-parts.js';
import { valuesOf } from '../../../src/tools/arbitraries/values-of-schemas.js';
import { contracts as listed, printSkipped, triesAll } from '../../codegen/contract-list.js';
import { someOf } from '../../support/budget.js';

/** How many values each check gets, and of GitHub's contract, which has a thousand checks. */
const VALUES = triesAll ? { each: 1_000, large: 100 } : { each: 100, large: 5 };
const LARGE = 'github-rest.openapi-3.0.json';

const contracts = [{ name: 'openapi.yaml', file: 'openapi.yaml' }, ...someOf(listed, 3)];

/** The checks that take no value at all. */
const EMPTY = ['takeNothing body'];

const running = new Map<string, Promise<RunningContract>>();

/** Two tests run each contract. */
function runningOf(file: string): Promise<RunningContract> {
  const known = running.get(file) ?? runContract(file);
  running.set(file, known);
  return known;
}

describe('arbitraries of the schemas', function () {
  this.timeout(triesAll ? 3_600_000 : 120_000);

  printSkipped();
  for (const { name, file } of contracts) {
    it(`of ${name} are taken by their checks`, async () => {
      const { contract, responseChecks } = await runningOf(file);
      const checks = new Map<string, Check>(Object.entries(responseChecks));
      for (const [id, { checkParameters, requestBody }] of Object.entries(contract.operations)) {
        if (checkParameters !== undefined) checks.set(`${id} parameters`, checkParameters);
        for (const codec of Object.values(requestBody?.content ?? {}))
          if ('check' in codec) checks.set(`${id} body`, codec.check);
      }
      for (const [what, check] of checks) {
        if (heightOf([{ schema: { $ref: check }, at: '' }]) === Infinity) expect(EMPTY).to.include(what);
        else expectTaken(what, check, name === LARGE ? VALUES.large : VALUES.each);
      }
    });
  }

  for (const { name, file } of contracts) {
    it(`of the requests of ${name} are what its handlers get`, async () => {
      const { contract } = await runningOf(file);
      const { seen, client } = recorder(contract);
      for (const [id, operation] of Object.entries(contract.operations)) {
        if (isStreamed(operation) || id === 'takeNothing') continue;
        for (const request of fc.sample(
          arbitraryOf(contract, id),
          name === LARGE ? VALUES.large : VALUES.each / 5,
        )) {
          seen.length = 0;
          const message = await client[id]?.(request).then(() => 'answered', String);
          expect(seen, `${id} ${JSON.stringify(request)}: ${String(message)}`).to.have.length(1);
          for (const [part, value] of Object.entries(request))
            expect(comparable(seen[0]), id).to.have.deep.property(part, comparable(value));
        }
      }
    });
  }

  function expectTaken(what: string, check: Check, count: number): void {
    const values = fc.sample(valuesOf([{ $ref: check }]), { numRuns: count, seed: 1 });
    const refused = values.filter((value) => !check(copied(value)));
    expect(refused, what).to.deep.equal([]);
  }
});

/** The value without files, which compare by what they are. */
function comparable(value: unknown): unknown {
  if (value instanceof File) return `${value.name} of ${value.type}: ${String(value.size)} bytes`;
  if (Array.isArray(value)) return (value as readonly unknown[]).map(comparable);
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, comparable(each)]));
}

function isStreamed({ requestBody }: OperationContract): boolean {
  const kinds = Object.values(requestBody?.content ?? {}).map(({ kind }) => kind);
  return kinds.some((kind) => ['items', 'parts', 'byte-stream'].includes(kind));
}

/** An engine of a contract without its security, whose handlers keep what they get. */
function recorder(given: RestContract) {
  const open = Object.entries(given.operations).map(([id, each]) => [id, { ...each, security: [] }] as const);
  const contract: RestContract = { ...given, securitySchemes: {}, operations: Object.fromEntries(open) };
  const encoded = Object.values(contract.operations)
    .flatMap(({ responses }) => Object.values(responses))
    .flatMap(({ content = {} }) => Object.entries(content))
    .flatMap(([mediaType, { kind }]) => (kind === 'other' ? [mediaType] : []));
  const seen: unknown[] = [];
  const handler = (request: unknown): Answer => ({ status: 600 + seen.push(request) });
  const engine = restEngine({
    contract,
    operations: Object.fromEntries(open.map(([id]) => [id, handler])),
    security: {},
    anonymous: undefined,
    encoders: Object.fromEntries([...new Set(encoded)].map((type) => [type, () => ''])),
    report: () => undefined,
  });
  return {
    seen,
    // The types of a contract that is generated here are not known.
    client: testClient(engine, contract) as unknown as Record<string, (request: unknown) => Promise<unknown>>,
  };
}
