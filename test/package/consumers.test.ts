/** What other teams do with the package: each has installed it and the packages that its subpath asks for, no more. */

import { expect } from 'chai';
import { GENERATOR, KOA, useConsumers } from './consumer.js';

/** What TypeScript asks for beside them. */
const TYPES = ['@types/koa', '@types/node', '@types/pg'];

describe('package: a consumer', function () {
  this.timeout(60_000);
  const consumerWith = useConsumers();

  const needs: readonly (readonly [subpath: string, name: string, packages: readonly string[]])[] = [
    ['', 'createServices', []],
    ['/contract', 'contract', []],
    ['/engine', 'restEngine', []],
    ['/conformance', 'storageChecks', []],
    ['/graphql-sse', 'graphqlSse', ['graphql', ...KOA]],
    ['/graphql-ws', 'graphqlWs', ['graphql', 'graphql-ws', 'ws']],
    ['/events/memory', 'memoryEvents', []],
    ['/events/postgres', 'postgresEvents', ['pg']],
    ['/events/redis', 'redisEvents', ['ioredis']],
    ['/storage/memory', 'memoryStorage', []],
    ['/storage/sqlite', 'sqliteStorage', ['@photostructure/sqlite', 'kysely']],
    ['/storage/postgres', 'postgresStorage', ['kysely', 'pg']],
    ['/identity/argon2', 'argon2Hasher', ['@node-rs/argon2']],
    ['/encoding/xml', 'xmlEncoder', ['fast-xml-builder']],
    ['/koa', 'koaTransport', KOA],
    ['/codegen', 'codegenConfig', GENERATOR],
  ];
  for (const [subpath, name, packages] of needs) {
    it(`imports concordat${subpath} with ${String(packages.length)} other packages installed`, () => {
      const source = `import { ${name} } from 'concordat${subpath}'; console.log(typeof ${name});`;
      const { status, stdout, stderr } = consumerWith(packages).run(source);
      expect(stderr).to.equal('');
      expect(stdout).to.match(/^(function|object)\n$/);
      expect(status).to.equal(0);
    });
  }

  it('finds types behind every subpath', () => {
    const consumer = consumerWith([...new Set(needs.flatMap(([, , packages]) => packages)), ...TYPES]);
    consumer.write(
      'all.ts',
      needs.map(([subpath, name]) => `export { ${name} } from 'concordat${subpath}';`).join('\n'),
    );
    expect(consumer.typeProblems('all.ts')).to.deep.equal([]);
    const ports = 'ApiKey, AttemptLimiter, IdentityProvider, PasswordHasher, Storage, TokenCodec, UserStore';
    consumer.write('ports.ts', `export type { ${ports} } from 'concordat';`);
    expect(consumer.typeProblems('ports.ts')).to.deep.equal([]);
    consumer.write('wrong.ts', "export { restEngin } from 'concordat/engine';");
    expect(consumer.typeProblems('wrong.ts')).to.have.length(1);
  });
});
