/** The entry point `@concordat/core/graphql`: the service's schema over its services. */

export { callerOfClient, openGraphqlSession } from './callers.js';
export {
  type GraphqlAuthentication,
  type GraphqlCaller,
  type GraphqlContext,
  type GraphqlServices,
  makeContext,
} from './graphql-context.js';
export { type ServiceGraphqlOptions, serviceGraphqlEngine } from './graphql-engine.js';
export { type ServiceResolvers, createResolvers } from './graphql-engine.js';
