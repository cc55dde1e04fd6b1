/** The options of an application whose contracts extend those of the core. */

import type { Caller, SecurityHandlers, ServiceEngineOptions, Services } from '@concordat/core';
import type { ExtendedSchema } from '@concordat/core/graphql';
import type { RestContract, RestEngine } from '@concordat/runtime';
import type { McpOptions } from '@concordat/runtime/mcp';

/** The parts of the service that the engine of an application's own contract is made with. */
export interface RestParts extends Pick<
  ServiceEngineOptions,
  'services' | 'xml' | 'report' | 'reportVersions' | 'checkResponses'
> {
  /** The handlers of the core's security schemes, or those of the option `securityHandlers`. */
  readonly security: SecurityHandlers;
}

/** An OpenAPI contract that extends the core's. */
export interface OwnRest {
  /** The `contract` of the generated `routing.ts`. */
  readonly contract: Pick<RestContract, 'securitySchemes' | 'xmlNames'>;
  /** The `document` of the generated `document.ts`: the pages and the tools for models show it. */
  readonly document: McpOptions['document'];
  /** Makes the engine, as `(parts) => serviceEngine({ ...parts, contract, operations })`. */
  readonly engine: (parts: RestParts) => RestEngine<Caller> | Promise<RestEngine<Caller>>;
}

/** A GraphQL schema that extends the core's. */
export interface OwnGraphql extends Pick<ExtendedSchema, 'typeDefs'> {
  /** Called once, when GraphQL is loaded. */
  readonly resolvers: (
    services: Services,
  ) => ExtendedSchema['resolvers'] | Promise<ExtendedSchema['resolvers']>;
}
