/** Creates GraphQL over WebSocket from the settings. */

import { type GraphqlWs, graphqlWs } from 'concordat/graphql-ws';
import type { GraphqlContext } from '@concordat/core/graphql';
import type { GraphqlEngine, OpenGraphqlSession } from 'concordat/graphql';
import { requestIdOf } from '../watch/request-id.js';
import type { Settings } from '../settings/settings.js';

export interface GraphqlWsParts {
  readonly engine: GraphqlEngine<GraphqlContext>;
  readonly openSession: OpenGraphqlSession<GraphqlContext>;
  readonly report: (error: unknown) => void;
}

type WsSettings = Pick<Settings, 'corsOrigins' | 'graphqlMaxOperations' | 'publicUrl'>;

export function openGraphqlWs(
  { engine, openSession, report }: GraphqlWsParts,
  settings: WsSettings,
): GraphqlWs {
  const webSockets = graphqlWs({
    engine,
    openSession,
    maxOperations: settings.graphqlMaxOperations,
    isAllowedOrigin: (origin, { headers }) => mayConnect(origin, headers.host, settings),
    report,
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

/** Allows the service's own origin and those in CORS_ORIGINS, or all without that setting, because no cookies are used. */
function mayConnect(
  origin: string,
  host: string | undefined,
  { corsOrigins, publicUrl }: WsSettings,
): boolean {
  if (corsOrigins === undefined || corsOrigins === '*' || corsOrigins.has(origin)) return true;
  if (!URL.canParse(origin)) return false;
  const own = publicUrl === undefined ? host : new URL(publicUrl).host;
  const { host: from } = new URL(origin);
  return from === host || from === own;
}
