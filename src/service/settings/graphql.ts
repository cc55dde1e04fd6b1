/** The settings of GraphQL. */

import { integer, optional, toggle } from './setting.js';

export const graphqlSettings = {
  graphqlMaxDepth: integer(
    'GRAPHQL_MAX_DEPTH',
    'how many levels of fields an operation may have; introspection is not counted',
    { from: 1, to: 1000, byDefault: 12 },
  ),
  graphqlMaxTokens: integer('GRAPHQL_MAX_TOKENS', 'how many tokens a GraphQL document may have', {
    from: 1,
    to: 1_000_000,
    byDefault: 2000,
  }),
  graphqlMaxAliases: integer(
    'GRAPHQL_MAX_ALIASES',
    'how many aliased fields an operation may have; those of a fragment count each time it is spread',
    { from: 0, to: 100_000, byDefault: 30 },
  ),
  graphqlMaxRepeats: integer(
    'GRAPHQL_MAX_REPEATS',
    'how many fields of one name or alias a GraphQL document may have',
    { from: 1, to: 100_000, byDefault: 500 },
  ),
  graphqlMaxNodes: integer(
    'GRAPHQL_MAX_NODES',
    'how many items the lists of a response may have in all, nested lists included',
    { from: 1, to: 100_000_000, byDefault: 100_000 },
  ),
  graphqlMaxResponse: integer(
    'GRAPHQL_MAX_RESPONSE',
    'how many bytes a response may have, and the posts that are read for it; of a subscription, each event',
    { from: 1, to: 1024 * 1024 * 1024, byDefault: 16 * 1024 * 1024 },
  ),
  graphqlMaxSeconds: integer(
    'GRAPHQL_MAX_SECONDS',
    'how many seconds an operation may take; of a subscription, its start and each event',
    { from: 1, to: 3600, byDefault: 30 },
  ),
  graphqlMaxBody: integer('GRAPHQL_MAX_BODY', 'how many bytes the body of a GraphQL request may have', {
    from: 1,
    to: 1024 * 1024 * 1024,
    byDefault: 1024 * 1024,
  }),
  graphqlMaxOperations: integer(
    'GRAPHQL_MAX_OPERATIONS',
    'how many operations a WebSocket may have at once',
    { from: 1, to: 100_000, byDefault: 50 },
  ),
  graphqlIntrospection: toggle(
    'GRAPHQL_INTROSPECTION',
    'whether clients may read the schema, and error messages suggest names from it',
    'on',
    'off',
  ),
  graphqlTrustedDocuments: optional(
    'GRAPHQL_TRUSTED_DOCUMENTS',
    'path of a JSON manifest of operations by id; if given, no other operation is served',
  ),
};
