/** Who may import whom, over the whole source. */

import { expect } from 'chai';
import { type SourceTree, fileCircles, folderCircles, importProblems } from './import-problems.js';
import { readTree } from './source-tree.js';

describe('architecture: imports', () => {
  const tree = readTree('src', 'generated');

  it('lets every room import only what it may see', () => {
    expect(tree.size).to.be.greaterThan(100);
    expect(importProblems(tree)).to.deep.equal([]);
  });

  it('has no circle of files, type imports included', () => {
    expect(fileCircles(tree)).to.deep.equal([]);
  });

  it('has no two folders that import each other, directly or in a circle, type imports included', () => {
    expect(folderCircles(tree)).to.deep.equal([]);
  });
});

describe('architecture: the check of imports finds', () => {
  /** The files that the planted imports lead to. */
  const targets = [
    'generated/routing.ts',
    'generated/validators.ts',
    'src/codegen/cli/main.ts',
    'src/codegen/generator/generate.ts',
    'src/codegen/contract/load/load.ts',
    'src/codegen/contract/model/reader.ts',
    'src/core/conformance/check.ts',
    'src/core/events/broker-events.ts',
    'src/core/model/user.ts',
    'src/core/operations/users.ts',
    'src/core/ports/storage.ts',
    'src/core/resolvers/users.ts',
    'src/core/services/users/users.ts',
    'src/core/storage/memory.ts',
    'src/core/storage/sqlite.ts',
    'src/runtime/contract/contract.ts',
    'src/runtime/graphql/index.ts',
    'src/runtime/http/message.ts',
    'src/runtime/index.ts',
    'src/runtime/rest/engine.ts',
    'src/runtime/transports/koa.ts',
    'src/service/cli/main.ts',
    'src/service/server/server.ts',
    'src/service/settings/settings.ts',
  ];

  function problemsOf(file: string, text: string): readonly string[] {
    return importProblems(new Map([...targets.map((target) => [target, ''] as const), [file, text]]));
  }

  const forbidden: readonly (readonly [file: string, specifier: string])[] = [
    ['src/runtime/http/message.ts', '../rest/engine.js'],
    ['src/runtime/http/message.ts', '../../core/model/user.js'],
    ['src/runtime/http/message.ts', '../../codegen/generate.js'],
    ['src/runtime/http/message.ts', '../../../generated/routing.js'],
    ['src/runtime/http/message.ts', '@concordat/core'],
    ['src/runtime/http/message.ts', '@concordat/service'],
    ['src/runtime/http/message.ts', '@concordat/runtime'],
    ['src/runtime/rest/route.ts', '../graphql/index.js'],
    ['src/runtime/rest/route.ts', 'graphql'],
    ['src/runtime/graphql/execute.ts', '../rest/engine.js'],
    ['src/runtime/graphql/execute.ts', 'koa'],
    ['src/runtime/transports/node.ts', './koa.js'],
    ['src/runtime/transports/koa.ts', '../rest/engine.js'],
    ['src/runtime/transports/koa.ts', '../../core/model/user.js'],
    ['src/runtime/transports/fetch.ts', 'node:http'],
    ['src/runtime/encoding/xml.ts', 'koa'],
    ['src/runtime/index.ts', './transports/koa.js'],
    ['src/codegen/contract/load/origins.ts', '../read/reader.js'],
    ['src/codegen/contract/load/origins.ts', '../generator/generate.js'],
    ['src/codegen/contract/load/origins.ts', 'koa'],
    ['src/codegen/contract/model/bodies.ts', '../../runtime/contract/contract.js'],
    ['src/codegen/contract/model/bodies.ts', '@concordat/core'],
    ['src/codegen/generator/generate.ts', '../cli/main.js'],
    ['src/codegen/generator/generate.ts', '@concordat/service'],
    ['src/core/model/page.ts', '../ports/storage.js'],
    ['src/core/model/page.ts', 'node:crypto'],
    ['src/core/ports/sign-in.ts', '../services/users/users.js'],
    ['src/core/ports/sign-in.ts', 'node:events'],
    ['src/core/services/orders/orders.ts', '../../operations/users.js'],
    ['src/core/services/orders/orders.ts', '../../storage/memory.js'],
    ['src/core/services/orders/orders.ts', '../../../../generated/routing.js'],
    ['src/core/services/orders/orders.ts', '@concordat/runtime'],
    ['src/core/services/orders/orders.ts', '../users/users.js'],
    ['src/core/operations/orders.ts', '../resolvers/users.js'],
    ['src/core/operations/orders.ts', '../../runtime/index.js'],
    ['src/core/operations/orders.ts', '@concordat/runtime/graphql'],
    ['src/core/operations/orders.ts', 'koa'],
    ['src/core/resolvers/orders.ts', '../operations/users.js'],
    ['src/core/resolvers/orders.ts', '@concordat/runtime'],
    ['src/core/index.ts', './storage/memory.js'],
    ['src/core/index.ts', '@concordat/service'],
    ['src/core/storage/sqlite.ts', '../services/users/users.js'],
    ['src/core/storage/sqlite.ts', './memory.js'],
    ['src/core/storage/sqlite.ts', 'pg'],
    ['src/core/storage/sqlite.ts', '@concordat/runtime'],
    ['src/core/storage/sql/users.ts', '../sqlite.js'],
    ['src/core/storage/sql/users.ts', '@photostructure/sqlite'],
    ['src/core/storage/memory/users.ts', 'kysely'],
    ['src/core/identity/argon2.ts', '../storage/memory.js'],
    ['src/core/identity/argon2.ts', '../events/broker-events.js'],
    ['src/core/conformance/storage/orders.ts', '../../storage/memory.js'],
    ['src/core/conformance/storage/orders.ts', '../../services/users/users.js'],
    ['src/service/settings/data.ts', '../server/server.js'],
    ['src/service/server/send.ts', '../cli/main.js'],
    ['src/service/server/send.ts', '../../runtime/index.js'],
    ['src/service/server/send.ts', '@concordat/core/services'],
    ['src/service/serve.ts', '../core/model/user.js'],
    ['src/service/serve.ts', './cli/main.js'],
    ['src/service/cli/program.ts', 'express'],
    ['generated/operations.ts', '../src/runtime/index.js'],
    ['generated/validators.ts', 'ajv/dist/runtime/ucs2length.js'],
    ['src/runtime/http/message.ts', './missing.js'],
  ];
  for (const [file, specifier] of forbidden) {
    it(`${file} importing ${specifier}`, () => {
      const problem = [`${file} imports ${specifier}`];
      expect(problemsOf(file, `import { x } from '${specifier}';`)).to.deep.equal(problem);
      expect(problemsOf(file, `import type { X } from '${specifier}';`)).to.deep.equal(problem);
    });
  }

  it('an import of values where only types may be seen', () => {
    const file = 'src/codegen/generator/conversions/conversions.ts';
    expect(problemsOf(file, "import type { Json } from '@concordat/runtime';")).to.deep.equal([]);
    expect(problemsOf(file, "import { Json } from '@concordat/runtime';")).to.have.length(1);
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
      expect(problemsOf('src/runtime/http/message.ts', text)).to.deep.equal([
        'src/runtime/http/message.ts imports koa',
      ]);
    });
  }

  it('a file outside of every room', () => {
    expect(problemsOf('src/helpers/text.ts', '')).to.deep.equal(['src/helpers/text.ts stands in no room']);
  });

  it('circles of files, through types too, each once', () => {
    const tree: SourceTree = new Map([
      ['src/a.ts', "import './b.js';"],
      ['src/b.ts', "import type { C } from './room/c.js'; import './d.js';"],
      ['src/room/c.ts', "export { a } from '../a.js';"],
      ['src/d.ts', "import './d.js';"],
      ['src/e.ts', "import './a.js'; import './d.js';"],
    ]);
    expect(fileCircles(tree)).to.deep.equal([
      'src/a.ts -> src/b.ts -> src/room/c.ts -> src/a.ts',
      'src/d.ts -> src/d.ts',
    ]);
  });

  const betweenFolders: readonly (readonly [name: string, files: SourceTree, circles: readonly string[]])[] =
    [
      [
        'two folders that import each other, though no two files do',
        new Map([
          ['src/a/one.ts', "import './two.js'; import { x } from '../b/one.js';"],
          ['src/a/two.ts', ''],
          ['src/b/one.ts', ''],
          ['src/b/two.ts', "import { y } from '../a/two.js';"],
        ]),
        ['src/a -> src/b -> src/a'],
      ],
      [
        'two folders that import each other by a type alone',
        new Map([
          ['src/a/one.ts', "import type { X } from '../b/one.js';"],
          ['src/b/one.ts', ''],
          ['src/b/two.ts', "type Y = import('../a/one.js').Y;"],
        ]),
        ['src/a -> src/b -> src/a'],
      ],
      [
        'a folder and its parent that import each other',
        new Map([
          ['src/a/face.ts', "export { x } from './inner/one.js';"],
          ['src/a/shape.ts', ''],
          ['src/a/inner/one.ts', "import type { Shape } from '../shape.js';"],
        ]),
        ['src/a -> src/a/inner -> src/a'],
      ],
      [
        'a circle of three folders',
        new Map([
          ['src/a/one.ts', "import '../b/one.js';"],
          ['src/b/one.ts', ''],
          ['src/b/two.ts', "import '../c/one.js';"],
          ['src/c/one.ts', ''],
          ['src/c/two.ts', "import type { X } from '../a/one.js';"],
        ]),
        ['src/a -> src/b -> src/c -> src/a'],
      ],
    ];
  for (const [name, files, found] of betweenFolders) {
    it(name, () => {
      expect(fileCircles(files)).to.deep.equal([]);
      expect(folderCircles(files)).to.deep.equal(found);
    });
  }

  it('nothing wrong with folders that import each other in one direction', () => {
    const files: SourceTree = new Map([
      ['src/a/one.ts', "import './two.js'; import '../b/one.js'; import './inner/one.js';"],
      ['src/a/two.ts', "import './inner/one.js'; import '../b/one.js';"],
      ['src/a/inner/one.ts', "import '../../b/one.js';"],
      ['src/b/one.ts', ''],
    ]);
    expect(folderCircles(files)).to.deep.equal([]);
  });

  it('nothing wrong with a way that is allowed', () => {
    const good: SourceTree = new Map([
      ...targets.map((target) => [target, ''] as const),
      ['generated/graphql.ts', "import type { GraphQLResolveInfo } from 'graphql';"],
      ['generated/routing.ts', "import * as check from './validators.js';"],
      ['src/runtime/transports/koa.ts', "import Koa from 'koa'; import { x } from '../index.js';"],
      ['src/tools/cli/mock.ts', "import { nodeTransport } from '@concordat/runtime/node';"],
      ['src/codegen/bin/concordat.js', "import '../dist/cli/main.js';"],
      ['src/core/services/orders/orders.ts', "import type { Storage } from '../../ports/storage.js';"],
      ['src/core/operations/orders.ts', "import { contract } from '../../../generated/routing.js';"],
      ['src/core/operations/users.ts', "import { json } from '@concordat/runtime';"],
      ['src/core/storage/sqlite.ts', "import { User } from '../model/user.js';"],
      ['src/service/open/storage.ts', "import { memoryStorage } from '@concordat/core/storage/memory';"],
    ]);
    expect(importProblems(good)).to.deep.equal([]);
  });
});
