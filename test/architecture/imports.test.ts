/** Who may import whom, over the whole source. */

import { expect } from 'chai';
import { type SourceTree, importCircles, importProblems } from './import-problems.js';
import { readTree } from './source-tree.js';

describe('architecture: imports', () => {
  const tree = readTree('src', 'generated');

  it('lets every room import only what it may see', () => {
    expect(tree.size).to.be.greaterThan(100);
    expect(importProblems(tree)).to.deep.equal([]);
  });

  it('has no circles, type imports included', () => {
    expect(importCircles(tree)).to.deep.equal([]);
  });
});

describe('architecture: the check of imports finds', () => {
  /** The files that the planted imports lead to. */
  const targets = [
    'generated/routing.ts',
    'generated/validators.d.ts',
    'src/adapters/storage/memory.ts',
    'src/adapters/storage/sqlite.ts',
    'src/codegen/config.ts',
    'src/core/model/user.ts',
    'src/core/ports/storage.ts',
    'src/core/services/users.ts',
    'src/core/operations/users.ts',
    'src/core/resolvers/users.ts',
    'src/engine/contract.ts',
    'src/engine/index.ts',
    'src/engine/rest/engine.ts',
    'src/cli/main.ts',
  ];

  function problemsOf(file: string, text: string): readonly string[] {
    return importProblems(new Map([...targets.map((target) => [target, ''] as const), [file, text]]));
  }

  const forbidden: readonly (readonly [file: string, specifier: string])[] = [
    ['src/core/model/page.ts', '../ports/storage.js'],
    ['src/core/model/page.ts', 'node:crypto'],
    ['src/core/ports/clock.ts', '../services/users.js'],
    ['src/core/ports/clock.ts', 'node:events'],
    ['src/core/services/orders.ts', '../operations/users.js'],
    ['src/core/services/orders.ts', '../../engine/index.js'],
    ['src/core/services/orders.ts', '../../../generated/routing.js'],
    ['src/core/services/orders.ts', '../../adapters/storage/memory.js'],
    ['src/core/operations/orders.ts', '../resolvers/users.js'],
    ['src/core/operations/orders.ts', '../../engine/rest/engine.js'],
    ['src/core/operations/orders.ts', 'koa'],
    ['src/core/resolvers/orders.ts', '../operations/users.js'],
    ['src/core/index.ts', '../adapters/storage/memory.js'],
    ['src/engine/message.ts', '../core/model/user.js'],
    ['src/engine/message.ts', '../codegen/config.js'],
    ['src/engine/message.ts', '../../generated/routing.js'],
    ['src/engine/rest/route.ts', 'graphql'],
    ['src/engine/graphql/execute.ts', 'koa'],
    ['src/codegen/load.ts', '../engine/index.js'],
    ['src/codegen/load.ts', '../core/model/user.js'],
    ['src/codegen/load.ts', 'koa'],
    ['src/adapters/storage/sqlite.ts', '../../core/services/users.js'],
    ['src/adapters/storage/sqlite.ts', './memory.js'],
    ['src/adapters/storage/sqlite.ts', 'pg'],
    ['src/adapters/storage/sql/users.ts', '../sqlite.js'],
    ['src/adapters/storage/sql/users.ts', '@photostructure/sqlite'],
    ['src/adapters/storage/memory/users.ts', 'kysely'],
    ['src/adapters/storage/sqlite.ts', '../../engine/index.js'],
    ['src/adapters/identity/argon2.ts', '../storage/memory.js'],
    ['src/adapters/transport/koa.ts', '../../core/model/user.js'],
    ['src/adapters/transport/koa.ts', '../../engine/rest/engine.js'],
    ['src/adapters/transport/koa.ts', '../../../generated/routing.js'],
    ['src/adapters/encoding/xml.ts', '../../core/model/user.js'],
    ['src/adapters/encoding/xml.ts', 'koa'],
    ['src/conformance/storage.ts', '../adapters/storage/memory.js'],
    ['src/conformance/storage.ts', '../core/services/users.js'],
    ['generated/operations.ts', '../src/engine/contract.js'],
    ['generated/validators.js', 'ajv/dist/runtime/ucs2length.js'],
    ['src/cli/serve.ts', 'express'],
    ['src/engine/message.ts', './missing.js'],
  ];
  for (const [file, specifier] of forbidden) {
    it(`${file} importing ${specifier}`, () => {
      const problem = [`${file} imports ${specifier}`];
      expect(problemsOf(file, `import { x } from '${specifier}';`)).to.deep.equal(problem);
      expect(problemsOf(file, `import type { X } from '${specifier}';`)).to.deep.equal(problem);
    });
  }

  it('an import of values where only types may be seen', () => {
    const file = 'src/codegen/model.ts';
    expect(problemsOf(file, "import type { Json } from '../engine/contract.js';")).to.deep.equal([]);
    expect(problemsOf(file, "import { Json } from '../engine/contract.js';")).to.have.length(1);
  });

  const manners: readonly (readonly [name: string, text: string])[] = [
    ['a bare import', "import 'koa';"],
    ['a namespace import', "import * as koa from 'koa';"],
    ['a re-export', "export { x } from 'koa';"],
    ['a re-export of everything', "export * from 'koa';"],
    ['a dynamic import', "async function f() { await import('koa'); }"],
    ['a required module', "const koa = require('koa');"],
    ['an import assignment', "import koa = require('koa');"],
    ['a type that is imported in place', "type Context = import('koa').Context;"],
  ];
  for (const [name, text] of manners) {
    it(name, () => {
      expect(problemsOf('src/engine/message.ts', text)).to.deep.equal(['src/engine/message.ts imports koa']);
    });
  }

  it('a file outside of every room', () => {
    expect(problemsOf('src/helpers/text.ts', '')).to.deep.equal(['src/helpers/text.ts stands in no room']);
  });

  it('circles, through types too, each once', () => {
    const tree: SourceTree = new Map([
      ['src/a.ts', "import './b.js';"],
      ['src/b.ts', "import type { C } from './room/c.js'; import './d.js';"],
      ['src/room/c.ts', "export { a } from '../a.js';"],
      ['src/d.ts', "import './d.js';"],
      ['src/e.ts', "import './a.js'; import './d.js';"],
    ]);
    expect(importCircles(tree)).to.deep.equal([
      'src/a.ts -> src/b.ts -> src/room/c.ts -> src/a.ts',
      'src/d.ts -> src/d.ts',
    ]);
  });

  it('nothing wrong with a way that is allowed', () => {
    const good: SourceTree = new Map([
      ...targets.map((target) => [target, ''] as const),
      ['generated/graphql.ts', "import type { GraphQLResolveInfo } from 'graphql';"],
      ['generated/routing.ts', "import * as check from './validators.js';"],
      ['src/core/services/orders.ts', "import type { Storage } from '../ports/storage.js';"],
      ['src/core/operations/orders.ts', "import { contract } from '../../../generated/routing.js';"],
      ['src/adapters/storage/sqlite.ts', "import { User } from '../../core/model/user.js';"],
      ['src/adapters/transport/koa.ts', "import Koa from 'koa'; import { x } from '../../engine/index.js';"],
      ['src/cli/serve.ts', "import { memoryStorage } from '../adapters/storage/memory.js';"],
    ]);
    expect(importProblems(good)).to.deep.equal([]);
  });
});
