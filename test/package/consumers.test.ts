/** What other teams do with the packages: each has installed one and the packages that its entry point asks for, no more. */

import { expect } from 'chai';
import { packageOf } from '../architecture/import-problems.js';
import { useConsumers } from './consumer.js';
import { entryPoints, neededBeside } from './entry-points.js';

/** What TypeScript asks for beside them. */
const TYPES = ['@types/koa', '@types/node', '@types/pg', '@types/ws'];

/** Per entry point: something that it exports, and what a project installs beside its package. */
const NEEDS: Readonly<Record<string, readonly [exported: string, beside: readonly string[]]>> = {
  '@concordat/runtime': ['restEngine', []],
  '@concordat/runtime/client': ['webhookClient', []],
  '@concordat/runtime/conformance': ['transportChecks', []],
  '@concordat/runtime/fastify': ['fastifyTransport', ['fastify']],
  '@concordat/runtime/fetch': ['fetchTransport', []],
  '@concordat/runtime/graphql': ['graphqlEngine', ['graphql']],
  '@concordat/runtime/graphql-ws': ['graphqlWs', ['graphql', 'graphql-ws', 'ws']],
  '@concordat/runtime/koa': ['koaTransport', ['@koa/router', 'koa']],
  '@concordat/runtime/bridge': ['versionBridge', []],
  '@concordat/runtime/mcp': ['mcpServer', ['@modelcontextprotocol/server']],
  '@concordat/runtime/node': ['nodeTransport', []],
  '@concordat/runtime/observe': ['observe', []],
  '@concordat/runtime/opentelemetry': ['traced', ['@opentelemetry/api']],
  '@concordat/runtime/openapi-backend': ['openapiBackendHandlers', ['openapi-backend']],
  '@concordat/runtime/standard-schema': ['standardSchema', []],
  '@concordat/runtime/testing': ['testClient', []],
  '@concordat/runtime/parts': ['failuresOf', []],
  '@concordat/runtime/xml': ['xmlEncoder', []],
  concordat: ['codegenConfig', []],
  'concordat/contract': ['loadContract', []],
  '@concordat/tools': ['toolCommands', []],
  '@concordat/tools/fast-check': ['arbitraryOf', ['fast-check']],
  '@concordat/tools/mock': ['mockHandlers', []],
  '@concordat/core': ['createServices', []],
  '@concordat/core/contract': ['contract', []],
  '@concordat/core/response-validators': ['userResponse', []],
  '@concordat/core/tools': ['tools', []],
  '@concordat/core/graphql': ['serviceGraphqlEngine', ['graphql']],
  '@concordat/core/conformance': ['storageChecks', []],
  '@concordat/core/testing': ['testCore', []],
  '@concordat/core/events/memory': ['memoryEvents', []],
  '@concordat/core/events/postgres': ['postgresEvents', ['pg']],
  '@concordat/core/events/redis': ['redisEvents', ['ioredis']],
  '@concordat/core/events/webhooks': ['webhookSender', []],
  '@concordat/core/identity/argon2': ['argon2Hasher', []],
  '@concordat/core/identity/jwt': ['jwtCodec', []],
  '@concordat/core/identity/oidc': ['oidcProvider', ['openid-client']],
  '@concordat/core/kysely': ['kyselyOf', ['kysely']],
  '@concordat/core/limits/memory': ['memoryAttemptLimiter', []],
  '@concordat/core/limits/redis': ['redisAttemptLimiter', ['ioredis']],
  '@concordat/core/storage/memory': ['memoryStorage', []],
  '@concordat/core/storage/postgres': ['postgresStorage', ['pg']],
  '@concordat/core/storage/sqlite': ['sqliteStorage', []],
  '@concordat/service': ['createService', ['concordat']],
};

describe('packages: a consumer', () => {
  const consumerWith = useConsumers();
  const needs = Object.entries(NEEDS);

  it('finds every entry point in this table, with what it needs beside its package', () => {
    const found = entryPoints.map((each) => [each.specifier, neededBeside(each)]);
    expect(Object.fromEntries(found)).to.deep.equal(
      Object.fromEntries(needs.map(([specifier, [, beside]]) => [specifier, beside])),
    );
  });

  for (const [specifier, [name, beside]] of needs) {
    it(`imports ${specifier} with ${String(beside.length)} other packages installed`, () => {
      const source = `import { ${name} } from '${specifier}'; console.log(typeof ${name});`;
      const { status, stdout, stderr } = consumerWith([packageOf(specifier), ...beside]).run(source);
      expect(stderr).to.equal('');
      expect(stdout).to.match(/^(function|object)\n$/);
      expect(status).to.equal(0);
    });
  }

  it('finds types behind every entry point', () => {
    const owns = needs.map(([specifier]) => packageOf(specifier));
    const consumer = consumerWith([
      ...new Set([...owns, ...needs.flatMap(([, [, beside]]) => beside), ...TYPES]),
    ]);
    consumer.write(
      'all.ts',
      needs.map(([specifier, [name]]) => `export { ${name} } from '${specifier}';`).join('\n'),
    );
    expect(consumer.typeProblems('all.ts')).to.deep.equal([]);
    const ports = 'ApiKey, AttemptLimiter, IdentityProvider, PasswordHasher, Storage, TokenCodec, UserStore';
    consumer.write('ports.ts', `export type { ${ports} } from '@concordat/core';`);
    expect(consumer.typeProblems('ports.ts')).to.deep.equal([]);
    consumer.write('wrong.ts', "export { restEngin } from '@concordat/runtime';");
    expect(consumer.typeProblems('wrong.ts')).to.have.length(1);
  });
});
