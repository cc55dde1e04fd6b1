// traced-graphql.ts
import { type GraphqlEngine, graphqlHttp } from '@concordat/runtime/graphql';
import { traced, tracedGraphql } from '@concordat/runtime/opentelemetry';

export function served(engine: GraphqlEngine<object>) {
  const operations = tracedGraphql(engine);
  const handler = graphqlHttp(operations, { openSession: () => ({ context: {} }) });
  return { operations, handler: traced(handler, { route: '/graphql' }) };
}
