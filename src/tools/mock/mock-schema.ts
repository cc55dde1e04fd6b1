/** The mock of a GraphQL schema: every field answers with a value made from its type, the same on every run. */

import { type GraphQLSchema, isObjectType, isScalarType, isSpecifiedScalarType } from 'graphql';
import { type GraphqlHttpHandler, graphqlEngine, graphqlHttp } from '@concordat/runtime/graphql';
import type { HttpRequest, HttpResponse } from '@concordat/runtime';
import { type SchemaFiles, constraintChecks, readSchema } from 'concordat/contract';
import { MARK } from './state/record-values.js';
import { type ConditionOptions, conditionsOf } from './mock-conditions.js';
import { GraphqlRecords, type Shown } from './state/graphql-records.js';
import type { Args } from './state/record-type.js';
import type { Sandbox } from './state/sandbox.js';
import { exampleOutput } from '../values/graphql/sample-values.js';

/** The options of the mock of a schema. */
export interface GraphqlMockOptions extends Pick<ConditionOptions, 'latency'> {
  /** The sandbox of a document, whose records the schema reads and writes too. */
  readonly sandbox?: Sandbox | undefined;
}

/** The number of values in a list, and of events in a subscription. */
const COUNT = 2;

/**
 * Makes a handler that answers every operation of a schema at `/graphql`. A text is the name of its field, a list has two values, a union
 * or an interface has its first type, and a subscription ends after two events.
 *
 * @param options - `latency: '50..200'` (milliseconds) makes answers late; there is no `fail`, because a schema declares no errors
 * @throws ContractError with every problem of the schema
 *
 * @example
 * ```ts
 * createServer(nodeTransport(await mockGraphql('schema.graphql'))).listen(4010);
 * ```
 */
export async function mockGraphql(
  files: SchemaFiles,
  { latency, sandbox }: GraphqlMockOptions = {},
): Promise<GraphqlHttpHandler> {
  const conditions = conditionsOf({ latency });
  const schema = withMocks(await readSchema(files), sandbox);
  const constraints = await constraintChecks(schema);
  const engine = graphqlEngine({ schema, constraints, explain: () => undefined, report: console.error });
  const handler = graphqlHttp(engine, { openSession: () => ({ context: undefined }) });
  const marked = async (request: HttpRequest): Promise<HttpResponse> => {
    const response = await conditions.late(await handler(request), request);
    return { ...response, headers: { ...response.headers, [MARK]: 'true' } };
  };
  // Without `serves`, the mock would answer the paths of a document beside it.
  return Object.assign(marked, handler);
}

/** Gives each field a resolver, in place, because only this mock uses the schema. */
function withMocks(schema: GraphQLSchema, sandbox: Sandbox | undefined): GraphQLSchema {
  const subscription = schema.getSubscriptionType();
  const records = sandbox && new GraphqlRecords(schema, sandbox);
  for (const type of Object.values(schema.getTypeMap())) {
    if (isScalarType(type) && !isSpecifiedScalarType(type)) {
      // The engine refuses scalars without functions; the values of a mock already have the form in which they are sent.
      type.serialize = (value) => value;
      type.parseValue = (value) => value;
    }
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      const value = exampleOutput(schema, field.type, field.name, COUNT);
      const inferred = records?.inferred(type, field);
      const isEvent = type === subscription;
      if (isEvent)
        field.subscribe = inferred === undefined ? eventsOnce : (_, args: Args) => inferred.run(args);
      field.resolve = (source: Shown | undefined, args: Args) => {
        // An object has other properties by its prototype, such as `constructor`.
        const isOwn = source !== undefined && Object.hasOwn(source, field.name);
        const shown = isOwn ? source[field.name] : undefined;
        const own = inferred === undefined || isEvent ? shown : inferred.run(args);
        const found: unknown = typeof own === 'function' ? (own as (args: Args) => unknown)(args) : own;
        return found === undefined ? value : found;
      };
    }
  }
  return schema;
}

// eslint-disable-next-line @typescript-eslint/require-await -- the events are there already
async function* eventsOnce(): AsyncGenerator<object> {
  for (let event = 0; event < COUNT; event += 1) yield {};
}
