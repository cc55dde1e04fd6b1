// shop.codegen.ts
import { codegenConfig } from 'concordat';

export default codegenConfig({
  openapi: 'stock.yaml',
  schema: ['node_modules/@concordat/core/dist/schema.graphql', 'stock.graphql'],
  out: 'generated',
  document: true, // for the pages of the service
  tools: true, // for models
  problems: {
    'application/json': { error: 'body/email is required' },
    'application/xml': { error: 'body/email is required' },
  },
  resolvers: {
    contextType: '@concordat/core/graphql#GraphqlContext',
    mappers: { User: '@concordat/core#User', Post: '@concordat/core#Post' },
    immutableTypes: true,
    maybeValue: 'T | null | undefined',
  },
});
