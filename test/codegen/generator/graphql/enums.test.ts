/** Enums of a schema: constants and unions, which Node can run after it has removed the types. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { generate } from 'concordat';
import { removeDirectory, temporaryPackage } from '../../generated-contract.js';
import { loadModules } from '../../generated-modules.js';
import { ERASABLE, complaints } from '../../strict-compiler.js';

const SDL = `
"How a book is written."
enum Genre {
  "A long story; it's * / prose."
  NOVEL
  short_story
}
enum _Odd { _ A1 }
enum Level { HIGH }
type Query { genre(level: Level, not: Genre = NOVEL, odd: _Odd): Genre }
`;

const USES = `import { Genre, type QueryGenreArgs, type Resolvers } from './graphql.js';
export const resolvers: Resolvers = { Query: { genre: (_, { not }) => (not === Genre.Novel ? Genre.ShortStory : 'NOVEL') } };
export const args: QueryGenreArgs = { not: Genre.Novel, odd: '_' };
export const all: readonly Genre[] = Object.values(Genre);
`;

describe('an enum of a schema', () => {
  let home = '';
  let schema = '';
  let types = '';

  before(async () => {
    home = await temporaryPackage();
    schema = join(home, 'schema.graphql');
    await writeFile(schema, SDL);
    ({ 'graphql.ts': types = '' } = await generate({ schema }));
    await writeFile(join(home, 'graphql.ts'), types);
  });

  after(() => removeDirectory(home));

  it('has its values as constants, and as strings', async () => {
    await writeFile(join(home, 'uses.ts'), USES);
    await writeFile(join(home, 'wrong.ts'), USES.replace(`: 'NOVEL')`, `: 'POEM')`));
    expect(complaints(home, ['graphql.ts', 'uses.ts'], ERASABLE)).to.deep.equal([]);
    expect(complaints(home, ['wrong.ts']).join('\n')).to.match(
      /TS2322: Type '"short_story" \| "POEM"' is not assignable to type 'FieldResult<"Query.genre", Maybe<Genre>>/,
    );
  });

  it('is a constant at run time, which keeps its descriptions', () => {
    expect(loadModules({ 'graphql.ts': types }).exports['graphql.ts']).to.deep.equal({
      Genre: { Novel: 'NOVEL', ShortStory: 'short_story' },
      Level: { High: 'HIGH' },
      _Odd: { _: '_', A1: 'A1' },
    });
    expect(types).to.match(
      /\/\*\* How a book is written\. \*\/\nexport const Genre = \{\n {2}\/\*\* A long story/,
    );
    expect(types).not.to.match(/\benum\b/);
  });

  it('is what an option of the plugin says', async () => {
    const generated = async (resolvers: object) =>
      (await generate({ schema, resolvers: { ...resolvers } }))['graphql.ts'];
    expect(await generated({ enumsAsTypes: true })).to.match(/export type Genre =\n/);
    expect(await generated({ enumsAsConst: false })).to.match(/export enum Genre \{/);
  });
});
