/** Tests that the items of streams are made as handlers get them. */

import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import fc from 'fast-check';
import { type HttpResponse, memoryRequest } from '@concordat/runtime';
import { arbitraryOf } from '@concordat/tools/fast-check';
import { ItemBody } from '../../../src/runtime/rest/sequences/write-items.js';
import { fixture } from '../../codegen/contract-list.js';
import {
  type GeneratedContract,
  generateContract,
  removeDirectory,
  temporaryPackage,
} from '../../codegen/generated-contract.js';
import { Streams, of } from '../../codegen/served-streams.js';

describe('arbitraryOf: items', () => {
  const streams = new Streams();
  let directory = '';
  let generated: GeneratedContract;
  let send: (path: string, contentType: string, body: Uint8Array) => Promise<HttpResponse>;
  before(async () => {
    directory = await temporaryPackage();
    generated = await generateContract(directory, { openapi: fixture('streams.openapi-3.2.yaml').file });
    const engine = generated.start({ operations: streams.operations, report: () => undefined });
    send = async (path, contentType, body) =>
      engine(memoryRequest({ method: 'POST', path, headers: { 'content-type': contentType }, body }));
  });
  after(() => removeDirectory(directory));

  // The types of a contract that is generated here are not known.
  const itemsOf = (id: string): fc.Arbitrary<unknown> =>
    arbitraryOf(generated.contract as never, id as never, 'item' as never);

  const rows: readonly (readonly [id: string, path: string])[] = [
    ['addEntries', '/entries'],
    ['addEvents', '/events'],
    ['addChanges', '/changes'],
  ];
  for (const [id, path] of rows) {
    it(`makes items of ${id} that its handler gets as they are`, async () => {
      const [[contentType, codec] = expect.fail('there is no body')] = Object.entries(
        generated.contract.operations[id]?.requestBody?.content ?? {},
      );
      if (codec.kind !== 'items') throw new Error('the body has no items');
      await fc.assert(
        fc.asyncProperty(fc.array(itemsOf(id), { minLength: 1, maxLength: 3 }), async (items) => {
          streams.read = [];
          const body = await buffer(new ItemBody(of(items), codec.items, codec.check));
          const response = await send(path, contentType, body);
          // Longer bodies than the operation takes are refused.
          fc.pre(response.status !== 413);
          expect(response.status, JSON.stringify(response.body)).to.equal(200);
          expect(streams.read).to.deep.equal(items);
        }),
        { numRuns: 200 },
      );
    });
  }

  it('makes parts of each kind', () => {
    const found = fc.sample(itemsOf('addPictures'), 100);
    expect(found.some((item) => item instanceof Uint8Array)).to.equal(true);
    expect(found.some((item) => !(item instanceof Uint8Array))).to.equal(true);
  });

  it('makes pieces of a stream of bytes', () => {
    for (const item of fc.sample(itemsOf('writeFile'), 10)) expect(item).to.be.instanceOf(Uint8Array);
  });

  it('makes no whole streams, and no items where the contract has no schema for them', () => {
    expect(() => arbitraryOf(generated.contract as never, 'addEntries' as never)).to.throw(
      'the body of addEntries in application/jsonl is a stream, which has no arbitrary',
    );
    for (const id of ['upload', 'readEntries'])
      expect(() => itemsOf(id), id).to.throw(`the body of ${id} has no items of a schema`);
  });
});
