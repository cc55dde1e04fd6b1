/** The settings of GraphQL. */

import { integer, text, toggle } from './setting.js';

export const graphqlSettings = {
  graphqlMaxDepth: {
    name: 'GRAPHQL_MAX_DEPTH',
    byDefault: '`12`',
    meaning: 'how many levels of fields an operation may have; introspection is not counted',
    read: integer({ from: 1, to: 1000 }, 12),
  },
  graphqlMaxTokens: {
    name: 'GRAPHQL_MAX_TOKENS',
    byDefault: '`2000`',
    meaning: 'how many tokens a GraphQL document may have',
    read: integer({ from: 1, to: 1_000_000 }, 2000),
  },
  graphqlMaxAliases: {
    name: 'GRAPHQL_MAX_ALIASES',
    byDefault: '`30`',
    meaning:
      'how many aliased fields an operation may have; those of a fragment count each time it is spread',
    read: integer({ from: 0, to: 100_000 }, 30),
  },
  graphqlMaxNodes: {
    name: 'GRAPHQL_MAX_NODES',
    byDefault: '`100000`',
    meaning: 'how many items the lists of a response may have in all, nested lists included',
    read: integer({ from: 1, to: 100_000_000 }, 100_000),
  },
  graphqlMaxResponse: {
    name: 'GRAPHQL_MAX_RESPONSE',
    byDefault: '`16777216`',
    meaning:
      'how many bytes a response may have, and the posts that are read for it; of a subscription, each event',
    read: integer({ from: 1, to: 1024 * 1024 * 1024 }, 16 * 1024 * 1024),
  },
  graphqlMaxSeconds: {
    name: 'GRAPHQL_MAX_SECONDS',
    byDefault: '`30`',
    meaning: 'how many seconds an operation may take; of a subscription, its start and each event',
    read: integer({ from: 1, to: 3600 }, 30),
  },
  graphqlMaxBody: {
    name: 'GRAPHQL_MAX_BODY',
    byDefault: '`1048576`',
    meaning: 'how many bytes the body of a GraphQL request may have',
    read: integer({ from: 1, to: 1024 * 1024 * 1024 }, 1024 * 1024),
  },
  graphqlMaxOperations: {
    name: 'GRAPHQL_MAX_OPERATIONS',
    byDefault: '`50`',
    meaning: 'how many operations a WebSocket may have at once',
    read: integer({ from: 1, to: 100_000 }, 50),
  },
  graphqlIntrospection: {
    name: 'GRAPHQL_INTROSPECTION',
    byDefault: '`on`; `off` when `NODE_ENV=production`',
    meaning: 'whether clients may read the schema, and error messages suggest names from it',
    read: toggle(({ isProduction }) => (isProduction ? 'off' : 'on')),
  },
  graphqlTrustedDocuments: {
    name: 'GRAPHQL_TRUSTED_DOCUMENTS',
    byDefault: 'none',
    meaning: 'path of a JSON manifest of operations by id; when given, no other operation is served',
    read: text(),
  },
};
