/** The configuration of the program: run the generator with `npm run codegen`. */

import { codegenConfig } from 'concordat';

export default codegenConfig({
  openapi: 'openapi.yaml',
  schema: 'schema.graphql',
  out: 'generated',
  clientTypes: true,
  tools: true,
  // As `serviceProblems` writes them.
  problems: {
    'application/json': { error: 'body/email is required' },
    'application/xml': { error: 'body/email is required' },
  },
  resolvers: {
    immutableTypes: true,
    // A field that may be null is resolved from one that may be undefined.
    maybeValue: 'T | null | undefined',
    // What the fields of a type are resolved from: the core's records, relative to the generated file.
    mappers: {
      User: '../src/core/model/user.js#User as UserRecord',
      Post: '../src/core/model/post.js#Post as PostRecord',
    },
  },
});
