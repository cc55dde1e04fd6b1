/** The generator's configuration: run it with `npm run codegen`. */

import { codegenConfig } from './src/codegen/index.js';

export default codegenConfig({
  openapi: 'openapi.yaml',
  schema: 'schema.graphql',
  out: 'generated',
  // As `serviceProblems` writes them.
  problems: {
    'application/json': { error: 'body/email is required' },
    'application/xml': { error: 'body/email is required' },
  },
  resolvers: {
    immutableTypes: true,
    // What the fields of a type are resolved from: the part of the core's records that the schema knows.
    mappers: {
      User: "Pick<User, 'id' | 'name' | 'email'>",
      Post: "Pick<Post, 'id' | 'title' | 'content'> & { readonly authorId: string }",
    },
  },
});
