/** The entry point `@concordat/core/graphql`: the service's schema over its services. */

export { callerOfClient, openGraphqlSession } from './graphql-context.js';
export {
  type GraphqlAuthentication,
  type GraphqlCaller,
  type GraphqlContext,
  type GraphqlServices,
  makeContext,
} from './graphql-context.js';
export {
  type ExtendedSchema,
  type ServiceGraphqlOptions,
  type ServiceResolvers,
  createResolvers,
  serviceGraphqlEngine,
} from './graphql-engine.js';
