/** Generates the types of the library's fields. */

import { codegenConfig } from 'concordat';

export default codegenConfig({
  openapi: 'library.yaml',
  schema: ['../../../schema.graphql', 'library.graphql'],
  out: 'generated',
  problems: { 'application/json': { error: 'a' }, 'application/xml': { error: 'a' } },
  resolvers: {
    contextType: '@concordat/core/graphql#GraphqlContext',
    mappers: { User: '@concordat/core#User', Post: '@concordat/core#Post' },
    immutableTypes: true,
    maybeValue: 'T | null | undefined',
  },
});
