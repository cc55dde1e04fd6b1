/** Tests that requests are written in every style as the engine of their contract reads them. */

import { expect } from 'chai';
import type { Json } from '@concordat/runtime';
import { type RunningContract, runContract } from '../../../src/tools/running/running-contract.js';
import {
  type GivenParameter,
  wireRequest,
  type WireRequest,
} from '../../../src/tools/running/wire-request.js';

const COLOR = { R: 100, G: 200 };
const NAMES = ['x y', 'ü&='];

/** What the contract takes: each schema takes one value. */
const VALUES: Readonly<Record<string, Readonly<Record<string, Json>>>> = {
  matrix: { color: COLOR, names: NAMES },
  label: { color: COLOR, names: NAMES },
  query: { color: COLOR, names: NAMES, deep: COLOR },
  querystring: { all: { names: NAMES } },
  cookie: { a: 'a:b', names: NAMES },
};
const FORM = { color: COLOR, names: NAMES, piped: NAMES };

describe('wireRequest', () => {
  let running: RunningContract;
  before(async () => {
    running = await runContract('test/tools/running/styles.yaml');
  });

  function written(id: string, values: Readonly<Record<string, Json>>): WireRequest | undefined {
    const operation = operationOf(id);
    const parameters = operation.parameters.map((parameter): GivenParameter => ({
      parameter,
      value: values[parameter.name] ?? null,
    }));
    const credentials = operation.security[0] ?? {};
    return wireRequest({ operation, parameters, credentials }, running.model.securitySchemes);
  }

  function operationOf(id: string): RunningContract['model']['operations'][number] {
    const operation = running.model.operations.find((each) => each.id === id);
    if (operation === undefined) throw new Error(`there is no operation ${id}`);
    return operation;
  }

  async function expectReached(request: WireRequest | undefined, operation: string): Promise<void> {
    expect(await running.expectedOutcomeOf(request ?? expect.fail('was not written'))).to.deep.equal({
      operation,
    });
  }

  for (const [id, values] of Object.entries(VALUES)) {
    it(`writes the parameters of ${id}`, async () => {
      await expectReached(written(id, values), id);
    });
  }

  for (const mediaType of ['application/x-www-form-urlencoded', 'multipart/form-data']) {
    it(`writes ${mediaType}`, async () => {
      const operation = operationOf('form');
      const media = operation.requestBody?.content.find((each) => each.mediaType === mediaType);
      const body = { media: media ?? expect.fail('there is no such body'), value: FORM };
      await expectReached(wireRequest({ operation, parameters: [], credentials: {}, body }, {}), 'form');
    });
  }

  it('writes nothing that HTTP cannot carry', () => {
    expect(written('query', { color: '\ud800' })).to.equal(undefined);
    expect(written('cookie', { a: 'a;b', names: NAMES })).to.equal(undefined);
  });
});
