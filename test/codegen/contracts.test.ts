/** Tests that code generated from any contract compiles under strict settings, starts, and finds every operation. */

import { mkdir, readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { buildSchema, lexicographicSortSchema, printSchema } from 'graphql';
import { memoryRequest } from '../../src/runtime/http/memory-request.js';
import { koaTransport } from '../../src/runtime/transports/koa.js';
import {
  type Encoder,
  type RestContract,
  type RestEngine,
  type SecurityHandler,
  restEngine,
} from '../../src/runtime/index.js';
import { contracts, printSkipped, schemas } from './contract-list.js';
import {
  loadContract,
  removeDirectory,
  runCodegen,
  temporaryPackage,
  writeResolvers,
  writeStarter,
} from './generated-contract.js';
import { samplePath } from './sample-path.js';
import { ERASABLE, complaintsOfMany } from './strict-compiler.js';

const directoryOf = (name: string): string => name.replaceAll(/[^\w-]/g, '-');

describe('every contract', function () {
  let home = '';

  before(async () => {
    home = await temporaryPackage();
    for (const { name, file, accept } of contracts) {
      const out = join(home, directoryOf(name));
      await mkdir(out);
      await runCodegen({ openapi: file, out, accept });
      await writeStarter(out);
    }
    for (const { name, file } of schemas) {
      const out = join(home, directoryOf(name));
      await mkdir(out);
      await runCodegen({ schema: file, out });
      await writeResolvers(out);
    }
  });

  after(() => removeDirectory(home));

  printSkipped();

  it('compiles under our strict settings, and fits the engine', () => {
    const files = [
      ...contracts.map(({ name }) => `${directoryOf(name)}/starter.ts`),
      ...schemas.map(({ name }) => `${directoryOf(name)}/resolvers.ts`),
    ];
    expect(complaintsOfMany(home, files, ERASABLE)).to.deep.equal([]);
  });

  for (const { name } of contracts) {
    it(`${name} starts, and leads every operation to its own handler`, async () => {
      const { contract, start } = await loadContract(join(home, directoryOf(name)));
      const ids = Object.keys(contract.operations);
      const engine = start({
        operations: Object.fromEntries(ids.map((id) => [id, () => ({ status: 204 })])),
        security: Object.fromEntries(Object.keys(contract.securitySchemes).map((each) => [each, nobody])),
        encoders: encodersOf(contract),
      });
      const answering = answeringEngine(contract);
      const router = koaTransport(engine);
      expect(engine.operations.map(({ id }) => id)).to.deep.equal(ids);
      for (const [id, { method, path: template }] of Object.entries(contract.operations)) {
        const { path, values } = samplePath(template);
        const found = engine.findPath(path);
        expect(found?.targets.get(method)?.id, `${method} ${path}`).to.equal(id);
        expect(found?.values, path).to.deep.equal(values);
        expect(router.match(path, method).pathAndMethod.map((layer) => layer.name)).to.deep.equal([id]);
        const { status, body } = await answering(memoryRequest({ method, path }));
        expect({ status, body }).to.deep.equal({ status: 200, body: id });
      }
    });
  }

  for (const { name, file } of schemas) {
    it(`${name} is kept as SDL, and nothing else is written for it`, async () => {
      const out = join(home, directoryOf(name));
      const { sdl } = (await import(pathToFileURL(join(out, 'resolvers.ts')).href)) as { sdl: string };
      const normal = (text: string) => printSchema(lexicographicSortSchema(buildSchema(text)));
      expect(normal(sdl)).to.equal(normal(await readFile(file, 'utf8')));
      const constraints = normal(sdl).includes(' @constraint(') ? ['constraints.ts'] : [];
      expect(await readdir(out)).to.have.members(['graphql.ts', 'schema.ts', 'resolvers.ts', ...constraints]);
    });
  }
});

const nobody: SecurityHandler<string> = { missing: 'no', authenticate: () => ({ refused: 'no' }) };

/** Stubs for the media types that a service would have to write itself. */
function encodersOf({ operations }: RestContract): Record<string, Encoder> {
  const bodies = Object.values(operations)
    .flatMap(({ responses }) => Object.values(responses))
    .flatMap(({ content = {} }) => Object.entries(content));
  const others = bodies.filter(([, { kind }]) => kind === 'other').map(([mediaType]) => mediaType);
  return Object.fromEntries(others.map((mediaType) => [mediaType, () => '']));
}

/** An engine on the paths of a contract, whose handlers answer their own operationId and look at nothing else. */
function answeringEngine({ operations, paths }: RestContract): RestEngine<string> {
  const contract: RestContract = {
    operations: Object.fromEntries(
      Object.entries(operations).map(([id, { method, path }]) => [
        id,
        { method, path, security: [], responses: { 200: { content: { 'text/plain': { kind: 'text' } } } } },
      ]),
    ),
    paths,
    securitySchemes: {},
    xmlNames: {},
  };
  return restEngine({
    contract,
    operations: Object.fromEntries(
      Object.keys(operations).map((id) => [id, () => ({ status: 200, body: id })]),
    ),
    security: {},
    anonymous: 'nobody',
    report: console.error,
  });
}
