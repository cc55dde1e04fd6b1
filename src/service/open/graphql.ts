/** The GraphQL side of the service, as its settings want it. */

import { readFile } from 'node:fs/promises';
import { graphqlJit } from 'concordat/graphql-jit';
import {
  type GraphqlContext,
  type TokenAuthentication,
  openGraphqlSession,
  serviceGraphqlEngine,
} from '@concordat/core/graphql';
import type { Caller, Services } from '@concordat/core';
import { type SecurityHandler, memoryRequest } from 'concordat';
import {
  type ErrorPlace,
  type GraphqlClient,
  type GraphqlEngine,
  type GraphqlHttpHandler,
  type GraphqlHttpOptions,
  type OpenGraphqlSession,
  authorizationOf,
  graphqlHttp,
  readTrustedDocuments,
  type TrustedDocuments,
} from 'concordat/graphql';
import type { Metrics } from '../watch/metrics.js';
import type { Settings } from '../settings/settings.js';
import { watchedGraphql } from '../watch/watched-graphql.js';

/** One engine for all GraphQL transports. */
export interface ServiceGraphql {
  readonly engine: GraphqlEngine<GraphqlContext>;
  /** POST and GET, and server-sent events. */
  readonly http: GraphqlHttpHandler;
  /** Who calls, over HTTP and WebSocket alike. */
  readonly openSession: OpenGraphqlSession<GraphqlContext>;
}

export interface GraphqlParts {
  readonly services: Services;
  /** Called with every masked error. */
  readonly report: (error: unknown, place: ErrorPlace) => void;
  readonly metrics: Metrics;
  /** The application's own handler of bearer tokens, if it has one. */
  readonly bearer?: SecurityHandler<Caller> | undefined;
  /** The page for browsers. */
  readonly page?: GraphqlHttpOptions<GraphqlContext>['page'];
}

/** @throws an error that says what is wrong with the manifest of trusted documents */
export async function openGraphql(
  { services, report, metrics, bearer, page }: GraphqlParts,
  settings: Settings,
): Promise<ServiceGraphql> {
  const trustedDocuments = await openTrustedDocuments(settings.graphqlTrustedDocuments);
  const unwatched = serviceGraphqlEngine({
    services,
    report,
    compile: graphqlJit,
    limits: {
      depth: settings.graphqlMaxDepth,
      tokens: settings.graphqlMaxTokens,
      aliases: settings.graphqlMaxAliases,
    },
    introspection: settings.graphqlIntrospection,
    suggestions: settings.graphqlIntrospection,
    ...(trustedDocuments && { trustedDocuments }),
  });
  const engine = watchedGraphql(unwatched, metrics);
  const openSession: OpenGraphqlSession<GraphqlContext> = (client) =>
    openGraphqlSession(
      bearer === undefined ? services : { ...services, authentication: tokensBy(bearer, client) },
      authorizationOf(client),
      settings.graphqlMaxNodes,
      client.address,
    );
  const http = graphqlHttp(engine, {
    openSession,
    maxBodyBytes: settings.graphqlMaxBody,
    ...(page && { page }),
  });
  return { engine, http, openSession };
}

/** Asks the application's handler of bearer tokens who a GraphQL client is, as it is asked over REST. */
function tokensBy(bearer: SecurityHandler<Caller>, { headers, address }: GraphqlClient): TokenAuthentication {
  return {
    async callerOfToken(token) {
      const request = memoryRequest({ method: 'POST', path: '/graphql', headers, address });
      const answer = await bearer.authenticate(token, { operationId: 'graphql', scopes: [], request });
      return 'refused' in answer ? undefined : answer;
    },
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
