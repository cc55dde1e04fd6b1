/** The public face of `@concordat/core/graphql`: the service's schema over its services. */

export { callerOfAuthorization } from './callers.js';
export { openGraphqlSession } from './session.js';
export {
  type GraphqlCaller,
  type GraphqlContext,
  type GraphqlServices,
  type TokenAuthentication,
  makeContext,
} from './context.js';
export { type ServiceGraphqlOptions, serviceGraphqlEngine } from './engine.js';
