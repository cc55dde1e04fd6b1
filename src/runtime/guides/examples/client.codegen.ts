// client.codegen.ts
import type { CodegenConfig } from '@graphql-codegen/cli';

export default {
  schema: 'node_modules/@concordat/core/dist/schema.graphql',
  documents: 'graphql-client.ts',
  importExtension: '.js',
  generates: { 'gql/': { preset: 'client', config: { useTypeImports: true } } },
} satisfies CodegenConfig;
