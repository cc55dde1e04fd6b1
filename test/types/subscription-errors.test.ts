/** What the compiler says of a wrong event of a subscription: at most four lines, which name the field. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { generate } from 'concordat';
import { removeDirectory, temporaryPackage } from '../codegen/generated-contract.js';
import { complaints, complaintsOfMany } from '../codegen/strict-compiler.js';

const SCHEMA = `type Query { node: Note }
type Subscription { noted(after: Int): Note!, count: Int! }
type Note { id: ID!, at: Int!, author: Author!, tags: [String!]! }
type Author { id: ID!, notes: [Note!]! }
`;

/** Each event is an object of its own line. */
const PROGRAM = `import type { EventsOf, Resolvers } from './graphql.js';
type Noted = Resolvers<undefined>['Subscription']['noted'];
type Count = Resolvers<undefined>['Subscription']['count'];
declare const given: { noted: { id: string, at: string, author: { id: string, notes: [] }, tags: [] } };
export const noted: Noted = {
  async *subscribe(_, { after }): EventsOf<Noted> {
    yield await Promise.resolve({ noted: { id: String(after), at: 1, author: { id: 'a', notes: [] }, tags: [] } });
    yield { noted: { id: 'a', at: 'now', author: { id: 'a', notes: [] }, tags: [] } };
    yield given;
    yield await Promise.resolve({ noted: { id: 'a', at: 1 } });
  },
};
export const count: Count = {
  async *subscribe(): EventsOf<Count> {
    yield await Promise.resolve({ count: 1 });
    yield await Promise.resolve({ count: 'x' });
  },
};
export const plain: Resolvers<undefined>['Subscription'] = {
  noted: {
    async *subscribe(_, { after }) {
      yield await Promise.resolve({ noted: { id: String(after), at: 'now', author: { id: 'a', notes: [] }, tags: [] } });
    },
  },
  count: {
    async *subscribe() {
      yield await Promise.resolve({ count: 'x' });
    },
  },
};
export const other: Resolvers<undefined>['Subscription'] = {
  noted: { async *subscribe() { yield await Promise.resolve(5); }, resolve: (at: number) => ({ id: '5', at, tags: [] }) },
  count: { async *subscribe() { yield await Promise.resolve(5); }, resolve: (event: number) => String(event) },
};
`;

/** The lines of the errors: with `EventsOf`, those of the events; otherwise, those of the fields and of their functions. */
const WRONG_LINES = [8, 9, 10, 16, 20, 25, 32, 33];

/** The last line of the error for a generator without a type. */
const MISSING =
  /Property 'resolve' is missing in type '.*' but required in type 'OtherEvents<"Subscription.(\w+)"/;

describe('the events of a subscription', () => {
  let directory = '';

  before(async () => {
    directory = await temporaryPackage();
    await writeFile(join(directory, 'schema.graphql'), SCHEMA);
    const files = await generate({ schema: join(directory, 'schema.graphql') });
    for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
    await writeFile(join(directory, 'program.ts'), PROGRAM);
  });
  after(() => removeDirectory(directory));

  for (const [version, compile] of [
    ['5.9', complaints],
    ['7', complaintsOfMany],
  ] as const) {
    it(`are reported at their place in at most four lines by TypeScript ${version}`, () => {
      const errors = compile(directory, ['program.ts']);
      expect(errors.map((each) => Number(/^program\.ts:(\d+)/.exec(each)?.[1]))).to.deep.equal(WRONG_LINES);
      for (const each of errors) expect(each.split('\n').length, each).to.be.at.most(4);
      expect(errors.map((each) => MISSING.exec(each)?.[1]).filter(Boolean)).to.deep.equal(['noted', 'count']);
    });
  }
});
