/** Hooks of an application around the core's operations. */
import { expect } from 'chai';
import { type Hooks, memoryRequest } from '@concordat/runtime';
import { contract } from '../../../generated/routing.js';
import type { Operations } from '../../../generated/operations.js';
import { serviceEngine } from '../../../src/core/operations/rest-engine.js';
import { securityHandlers } from '../../../src/core/operations/security.js';
import type { Caller } from '../../../src/core/services/rights/caller.js';
import { openPolicy } from '../../../src/core/services/rights/policy.js';
import { createServices } from '../../../src/core/services/services.js';
import { createOperations } from '../../../src/core/operations/rest-engine.js';
import { memoryStorage } from '../../../src/core/storage/memory.js';

describe('serviceEngine with hooks', () => {
  const services = createServices({ storage: memoryStorage(), policy: openPolicy });
  const common = { services, xml: () => '', report: (error: unknown) => expect.fail(String(error)) };

  const engines = {
    "of the core's contract": (hooks: readonly Hooks<Caller, unknown, Operations>[]) =>
      serviceEngine({ ...common, hooks }),
    'of an extended contract': (hooks: readonly Hooks<Caller, unknown, Operations>[]) =>
      serviceEngine({
        ...common,
        contract,
        operations: createOperations(services),
        security: securityHandlers(services.authentication),
        hooks,
      }),
  };
  for (const [what, makeEngine] of Object.entries(engines)) {
    it(`${what} calls them for a tag and for one operation`, async () => {
      const seen: string[] = [];
      const engine = makeEngine([
        { before: { 'tag:Users': (_request, { operation }) => void seen.push(operation.id) } },
        { before: { getUser: ({ path }) => ({ status: 404, body: { error: `no user ${path.id}` } }) } },
      ]);
      const { status, body } = await engine(memoryRequest({ path: '/api/users/7' }));
      expect([status, body, seen]).to.deep.equal([404, '{"error":"no user 7"}', ['getUser']]);
      expect((await engine(memoryRequest({ path: '/api/products' }))).status).to.equal(200);
      expect(seen).to.deep.equal(['getUser']);
    });
  }
});
