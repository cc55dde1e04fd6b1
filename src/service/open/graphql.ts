/** Opens GraphQL over HTTP and WebSocket, with the limits of the settings. */

import { readFile } from 'node:fs/promises';
import { type GraphqlWs, graphqlWs } from '@concordat/runtime/graphql-ws';
import {
  type GraphqlAuthentication,
  type GraphqlContext,
  openGraphqlSession,
  serviceGraphqlEngine,
} from '@concordat/core/graphql';
import type { Caller, SecurityHandlers, Services } from '@concordat/core';
import { type SecurityHandler, memoryRequest } from '@concordat/runtime';
import {
  type ErrorPlace,
  type GraphqlClient,
  type GraphqlEngine,
  type GraphqlHttpHandler,
  type GraphqlHttpOptions,
  type OpenGraphqlSession,
  type TrustedDocuments,
  compileQuery,
  graphqlHttp,
  readTrustedDocuments,
} from '@concordat/runtime/graphql';
import { addressOf, type OriginGuard, type RequestCount } from '../guards/request-guards.js';
import type { OwnGraphql } from './contract-endpoints.js';
import type { Metrics } from '../watch/metrics.js';
import { noteCaller, requestIdOf } from '../watch/request-watch.js';
import type { Settings } from '../settings/settings.js';
import { watchedGraphql } from '../watch/watched-parts.js';

/** One engine for all GraphQL transports. */
export interface ServiceGraphql {
  readonly engine: GraphqlEngine<GraphqlContext>;
  /** POST and GET, and server-sent events. */
  readonly http: GraphqlHttpHandler;
  /** Identifies the caller, over HTTP and WebSocket. */
  readonly openSession: OpenGraphqlSession<GraphqlContext>;
}

export interface GraphqlParts {
  readonly services: Services;
  /** Called with every error that is masked, or that an outage has caused. */
  readonly report: (error: unknown, place: ErrorPlace) => void;
  readonly metrics: Metrics;
  /** The application's handlers of credentials, if it has any. */
  readonly security?: Partial<SecurityHandlers> | undefined;
  /** The application's own schema, in place of the core's. */
  readonly own?: OwnGraphql | undefined;
  /** The page for browsers. */
  readonly page?: GraphqlHttpOptions<GraphqlContext>['page'];
}

/** @throws an error that explains why the manifest of trusted documents cannot be read */
export async function openGraphql(
  { services, report, metrics, security = {}, own, page }: GraphqlParts,
  settings: Settings,
): Promise<ServiceGraphql> {
  const trustedDocuments = await openTrustedDocuments(settings.graphqlTrustedDocuments);
  const extended = own && { ...own, resolvers: await own.resolvers(services) };
  const unwatched = serviceGraphqlEngine({
    ...extended,
    services,
    report,
    compile: compileQuery,
    limits: {
      depth: settings.graphqlMaxDepth,
      tokens: settings.graphqlMaxTokens,
      aliases: settings.graphqlMaxAliases,
      repeats: settings.graphqlMaxRepeats,
      responseBytes: settings.graphqlMaxResponse,
      seconds: settings.graphqlMaxSeconds,
    },
    introspection: settings.graphqlIntrospection,
    suggestions: settings.graphqlIntrospection,
    ...(trustedDocuments && { trustedDocuments }),
  });
  const engine = watchedGraphql(unwatched, metrics);
  const openSession: OpenGraphqlSession<GraphqlContext> = async (client) => {
    const session = await openGraphqlSession(
      { ...services, authentication: authenticationBy(security, services, client) },
      client,
      settings.graphqlMaxNodes,
    );
    noteCaller(client.headers, session.context.caller);
    return session;
  };
  const http = graphqlHttp(engine, {
    openSession,
    maxBodyBytes: settings.graphqlMaxBody,
    ...(page && { page }),
  });
  return { engine, http, openSession };
}

/** Identifies GraphQL clients with the application's handlers, as over REST; the service handles the other credentials. */
function authenticationBy(
  { bearerAuth, apiKeyAuth }: Partial<SecurityHandlers>,
  { authentication }: Services,
  { headers, address, host }: GraphqlClient,
): GraphqlAuthentication {
  const ask = async (handler: SecurityHandler<Caller>, credential: string) => {
    const request = memoryRequest({ method: 'POST', path: '/graphql', headers, address, host });
    const demand = { operationId: 'graphql', scopes: [], request, host };
    const answer = await handler.authenticate(credential, demand);
    return 'refused' in answer ? undefined : answer;
  };
  return {
    callerOfToken: (token, isJoined) =>
      bearerAuth === undefined ? authentication.callerOfToken(token, isJoined) : ask(bearerAuth, token),
    callerOfApiKey: async (key, isJoined) =>
      apiKeyAuth === undefined
        ? await authentication.callerOfApiKey(key, isJoined)
        : (await ask(apiKeyAuth, key))?.caller,
  };
}

async function openTrustedDocuments(path: string | undefined): Promise<TrustedDocuments | undefined> {
  if (path === undefined) return undefined;
  try {
    return readTrustedDocuments(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    throw new Error(`GRAPHQL_TRUSTED_DOCUMENTS (${path}) cannot be read: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

export interface GraphqlWsParts {
  readonly engine: GraphqlEngine<GraphqlContext>;
  readonly openSession: OpenGraphqlSession<GraphqlContext>;
  readonly guard: OriginGuard;
  /** Undefined for no limit. */
  readonly countRequest: RequestCount | undefined;
  readonly report: (error: unknown) => void;
}

type WsSettings = Pick<Settings, 'graphqlMaxOperations' | 'trustProxy'>;

/** GraphQL over WebSocket. */
export function openGraphqlWs(
  { guard, countRequest, ...parts }: GraphqlWsParts,
  { graphqlMaxOperations, trustProxy }: WsSettings,
): GraphqlWs {
  const webSockets = graphqlWs({
    ...parts,
    maxOperations: graphqlMaxOperations,
    isAllowedOrigin: (_, request) => !guard.isForeign(request),
    addressOf: (request) => addressOf(request, trustProxy),
    admit: async (request) => {
      const problem =
        guard.findHostProblem(request) ?? (await countRequest?.(addressOf(request, trustProxy) ?? ''));
      if (problem !== undefined) throw problem;
    },
  });
  return {
    ...webSockets,
    handleUpgrade: (request, socket, head) => {
      // Upgrades do not pass through the server's middleware, which gives requests their ids.
      request.headers['x-request-id'] = requestIdOf(request.headers['x-request-id']);
      webSockets.handleUpgrade(request, socket, head);
    },
  };
}
