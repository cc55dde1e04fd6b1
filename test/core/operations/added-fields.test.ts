/** An overlay that adds fields to requests of the core: the start names the handler that would lose one of them. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createOperations,
  createServices,
  openPolicy,
  securityHandlers,
  serviceEngine,
} from '@concordat/core';
import { contract, openapiFile } from '@concordat/core/contract';
import { memoryStorage } from '@concordat/core/storage/memory';
import { generate } from 'concordat';
import { expect } from 'chai';
import { loadModules } from '../../codegen/generated-modules.js';

const problems = { 'application/json': { error: 'a' }, 'application/xml': { error: 'a' } };

/** The contract of an overlay with this action, generated as an application generates it. */
async function extendedBy(action: string): Promise<typeof contract> {
  const directory = mkdtempSync(join(tmpdir(), 'concordat-added-'));
  try {
    const openapi = join(directory, 'nicknames.yaml');
    writeFileSync(
      openapi,
      `overlay: 1.0.0\ninfo: { title: Nicknames, version: '1' }\nextends: ${openapiFile.pathname}\nactions:\n  - ${action}\n`,
    );
    const { exports } = loadModules(await generate({ openapi, problems }));
    return (exports['routing.ts'] as { readonly contract: typeof contract }).contract;
  } finally {
    rmSync(directory, { recursive: true });
  }
}

describe('a request field that an overlay adds', () => {
  const services = createServices({ storage: memoryStorage(), policy: openPolicy });
  const core = createOperations(services);
  const serve =
    (extended: typeof contract, operations = core) =>
    () =>
      serviceEngine({
        services,
        contract: extended,
        operations,
        security: securityHandlers(services.authentication),
        xml: (body) => JSON.stringify(body),
        report: console.error,
      });

  it('is refused in a body, and accepted where the application replaces or wraps the handler', async () => {
    const extended = await extendedBy(
      "{ target: '$.components.schemas.UserReplacement.properties', update: { nickname: { type: string } } }",
    );
    expect(serve(extended)).to.throw(
      'replaceUser: the handler of the core does not read body/nickname; replace the handler, or leave the field out',
    );
    const replaceUser: typeof core.replaceUser = (request, context) => core.replaceUser(request, context);
    expect(serve(extended, { ...core, replaceUser })).not.to.throw();
  });

  it('is refused in a query', async () => {
    const extended = await extendedBy(
      `{ target: "$.paths['/api/products'].get.parameters", update: { name: shelf, in: query, schema: { type: string } } }`,
    );
    expect(serve(extended)).to.throw('listProducts: the handler of the core does not read query/shelf');
  });

  it('is accepted where the core reads it already', () => {
    expect(serve(contract)).not.to.throw();
  });
});
