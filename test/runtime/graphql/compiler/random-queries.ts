/** A schema with everything that results depend on, and random queries of it that are valid. */

import { makeExecutableSchema } from '@graphql-tools/schema';
import fc from 'fast-check';
import type { GraphQLSchema } from 'graphql';

const typeDefs = `
  enum Colour { RED GREEN }
  input Filter { limit: Int = 2, name: String, colours: [Colour!] }
  interface Named { name: String! }
  union Any = Thing | Other
  type Query {
    thing(id: ID!, deep: Boolean = false): Thing
    things(filter: Filter, limit: Int): [Thing!]!
    maybe(limit: Int): [Thing]
    named: [Named]
    any: [Any!]
    number(n: Int, f: Float, s: String, b: Boolean): String
    fails: Thing
    failsHard: Thing!
  }
  type Thing implements Named {
    id: ID!
    name: String!
    colour: Colour
    size: Float
    tags: [String]
    grid: [[Int!]]
    wrong: Int
    child: Thing
    parent: Thing!
    children(limit: Int = 1): [Thing!]!
    late: String!
    broken: String
    brokenHard: String!
    nothing: String!
    text_name: String
  }
  type Other implements Named { name: String!, id: ID! }
`;

interface Thing {
  readonly id: string;
  readonly name: string;
  readonly depth: number;
  readonly [field: string]: unknown;
}

function thing(id: string, depth = 0): Thing {
  const number = Number(id) || 0;
  return {
    id,
    depth,
    name: `Thing ${id}`,
    colour: number % 2 === 0 ? 'RED' : null,
    size: number / 3,
    tags: ['a', null, `"${id}"`],
    grid: [[1, 2], [], [number]],
    // What the schema does not allow, for some.
    wrong: number % 3 === 0 ? 'no number' : number,
    text_name: `under_${id}`,
  };
}

const list = (count: number, depth: number): readonly Thing[] =>
  Array.from({ length: Math.max(0, Math.min(count, 4)) }, (_, n) => thing(String(n + 1), depth));

const fail = (): never => {
  throw new Error('it fails');
};

/** Some fields answer at once and some later, and some fail in either way. */
const resolvers = {
  Query: {
    thing: (_: unknown, { id, deep }: { id: string; deep: boolean }) =>
      id === '0' ? null : thing(id, deep ? 1 : 0),
    things: (_: unknown, { filter, limit }: { filter?: { limit?: number }; limit?: number }) =>
      Promise.resolve(list(limit ?? filter?.limit ?? 3, 0)),
    maybe: (_: unknown, { limit }: { limit?: number }) => [null, ...list(limit ?? 1, 0)],
    named: () => [thing('1'), { __typename: 'Other', id: '9', name: 'Other' }, null],
    any: () => [thing('2'), { __typename: 'Other', id: '8', name: 'Other' }],
    // In what order arguments come means nothing.
    number: (_: unknown, given: object) => JSON.stringify(Object.entries(given).sort()),
    fails: fail,
    failsHard: () => Promise.reject(new Error('it fails later')),
  },
  Thing: {
    child: ({ id, depth }: Thing) => (depth > 2 ? null : thing(id, depth + 1)),
    parent: ({ id, depth }: Thing) => Promise.resolve(thing(id, depth + 1)),
    children: ({ depth }: Thing, { limit }: { limit: number | null }) => list(limit ?? 2, depth + 1),
    late: ({ name }: Thing) => Promise.resolve(`${name} later`),
    broken: ({ id }: Thing) => (id === '2' ? fail() : 'whole'),
    brokenHard: ({ id }: Thing) => (id === '3' ? Promise.reject(new Error('broken')) : 'whole'),
    nothing: ({ id }: Thing) => (id === '2' ? null : 'something'),
  },
  Named: { __resolveType: ({ __typename }: { __typename?: string }) => __typename ?? 'Thing' },
  Any: { __resolveType: ({ __typename }: { __typename?: string }) => __typename ?? 'Thing' },
};

export function testSchema(): GraphQLSchema {
  return makeExecutableSchema({ typeDefs, resolvers });
}

/** A query, and values for the variables that every one declares. */
export interface RandomQuery {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

const alias = fc.constantFrom(undefined, undefined, undefined, 'a', 'b_c', 'constructor');
const condition = fc.oneof(
  { weight: 30, arbitrary: fc.constant(undefined) },
  fc.constantFrom('@include(if: $yes)', '@skip(if: $yes)', '@include(if: $no)', '@skip(if: true)'),
);

const leafName = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.constantFrom(
      'id',
      'name',
      'colour',
      'size',
      'tags',
      'grid',
      'late',
      'text_name',
      '__typename',
    ),
  },
  // One of these can fail a query.
  { weight: 1, arbitrary: fc.constantFrom('wrong', 'broken', 'brokenHard', 'nothing') },
);

/** An alias always means the same field, so that selections can be merged. */
function fieldText(
  name: string,
  alias: string | undefined,
  condition: string | undefined,
  below = '',
): string {
  const label = alias === undefined ? '' : `${alias}_${name}: `;
  return `${label}${name} ${condition ?? ''} ${below}`;
}

const { selections } = fc.letrec<{ selection: string; selections: string }>((tie) => ({
  selections: fc.array(tie('selection'), { minLength: 1, maxLength: 4 }).map((all) => `{ ${all.join(' ')} }`),
  selection: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc
      .record({ name: leafName, alias, condition })
      .map(({ name, alias, condition }) => fieldText(name, alias, condition)),
    fc.constantFrom('...Leaves', '...Below'),
    fc
      .record({
        name: fc.constantFrom('child', 'parent', 'children'),
        alias,
        condition,
        below: tie('selections'),
      })
      .map(({ name, alias, condition, below }) => fieldText(name, alias, condition, below)),
    fc
      .record({ condition, below: tie('selections') })
      .map(({ condition, below }) => `... on Thing ${condition ?? ''} ${below}`),
  ),
}));

const root = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .record({
        name: fc.constantFrom(
          ...['thing(id: 1)', 'thing(id: $id)', 'thing(id: 0)', 'thing(id: 2, deep: $no)', 'things', 'maybe'],
          ...[
            'things(limit: $limit)',
            'things(filter: { limit: $limit, colours: [RED] })',
            'maybe(limit: 3)',
          ],
          ...['things(filter: $filter)'],
        ),
        below: selections,
      })
      .map(({ name, below }) => `${name} ${below}`),
  },
  { weight: 2, arbitrary: fc.constantFrom('number(n: $limit, s: "x", b: $no)', 'number(f: 1.5, s: $text)') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '__typename',
      'fails { id }',
      'failsHard { id }',
      'named { name ... on Other { id } }',
      'any { __typename ... on Thing { id } ... on Other { name } }',
    ),
  },
);

const DEFINITIONS: Readonly<Record<string, string>> = {
  $id: '$id: ID! = 3',
  $limit: '$limit: Int',
  $filter: '$filter: Filter',
  $text: '$text: String = "t"',
  $yes: '$yes: Boolean! = true',
  $no: '$no: Boolean! = false',
};

const FRAGMENTS: Readonly<Record<string, string>> = {
  Below: 'fragment Below on Thing { child { ...Leaves size } }',
  Leaves: 'fragment Leaves on Thing { id name late }',
};

const variables = fc.record(
  {
    id: fc.constantFrom('1', '2', 3, '0'),
    limit: fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(0, 1, 3, null) },
      fc.constantFrom('no number', 1.5),
    ),
    filter: fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom({}, { limit: 1 }, null, { colours: ['GREEN'] }) },
      fc.constantFrom({ colours: ['BLUE'] }, { other: 1 }),
    ),
    text: fc.constantFrom('text', null),
    yes: fc.boolean(),
    no: fc.boolean(),
  },
  { requiredKeys: [] },
);

/** Root fields have names of their own, so that their arguments never meet; only what is used is defined. */
export const randomQuery: fc.Arbitrary<RandomQuery> = fc
  .record({ roots: fc.array(root, { minLength: 1, maxLength: 3 }), variables })
  .map(({ roots, variables }) => {
    const body = `{ ${roots.map((field, index) => `root${String(index)}: ${field}`).join(' ')} }`;
    const fragments = Object.keys(FRAGMENTS).filter(
      (name) => body.includes(`...${name}`) || (name === 'Leaves' && body.includes('...Below')),
    );
    const used = Object.keys(DEFINITIONS).filter((name) => body.includes(name));
    const head = used.length === 0 ? '' : `(${used.map((name) => DEFINITIONS[name]).join(', ')})`;
    return {
      query: `query Q${head} ${body} ${fragments.map((name) => FRAGMENTS[name]).join(' ')}`,
      variables,
    };
  });
