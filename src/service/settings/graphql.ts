/** The settings of the GraphQL door. */

import { integer, text, toggle } from './readers.js';
import type { Setting } from './setting.js';

export const graphqlSettings = {
  graphqlMaxDepth: {
    name: 'GRAPHQL_MAX_DEPTH',
    byDefault: '`12`',
    meaning: 'how many levels of fields an operation may have; introspection is not counted',
    read: integer({ from: 1, to: 1000 }, 12),
  } satisfies Setting<number>,
  graphqlMaxTokens: {
    name: 'GRAPHQL_MAX_TOKENS',
    byDefault: '`2000`',
    meaning: 'how many tokens a GraphQL document may have',
    read: integer({ from: 1, to: 1_000_000 }, 2000),
  } satisfies Setting<number>,
  graphqlMaxAliases: {
    name: 'GRAPHQL_MAX_ALIASES',
    byDefault: '`30`',
    meaning:
      'how many fields with an alias an operation may have, those of fragments wherever they are spread',
    read: integer({ from: 0, to: 100_000 }, 30),
  } satisfies Setting<number>,
  graphqlMaxNodes: {
    name: 'GRAPHQL_MAX_NODES',
    byDefault: '`100000`',
    meaning: 'how many items the lists of an answer may have, those of lists within lists added up',
    read: integer({ from: 1, to: 100_000_000 }, 100_000),
  } satisfies Setting<number>,
  graphqlMaxBody: {
    name: 'GRAPHQL_MAX_BODY',
    byDefault: '`1048576`',
    meaning: 'how many bytes the body of a GraphQL request may have',
    read: integer({ from: 1, to: 1024 * 1024 * 1024 }, 1024 * 1024),
  } satisfies Setting<number>,
  graphqlMaxOperations: {
    name: 'GRAPHQL_MAX_OPERATIONS',
    byDefault: '`50`',
    meaning: 'how many operations a WebSocket may have at once',
    read: integer({ from: 1, to: 100_000 }, 50),
  } satisfies Setting<number>,
  graphqlIntrospection: {
    name: 'GRAPHQL_INTROSPECTION',
    byDefault: '`on`; `off` when `NODE_ENV=production`',
    meaning: 'whether clients may read the schema, and messages suggest names of it',
    read: toggle(({ isProduction }) => (isProduction ? 'off' : 'on')),
  } satisfies Setting<boolean>,
  graphqlTrustedDocuments: {
    name: 'GRAPHQL_TRUSTED_DOCUMENTS',
    byDefault: 'none',
    meaning: 'path of a JSON manifest of operations by id; given, no other operation is served',
    read: text(),
  } satisfies Setting<string | undefined>,
};
