/** Creates GraphQL over WebSocket from the settings. */

import { type GraphqlWs, graphqlWs } from 'concordat/graphql-ws';
import type { GraphqlContext } from '@concordat/core/graphql';
import type { GraphqlEngine, OpenGraphqlSession } from 'concordat/graphql';
import type { OriginGuard } from '../guards/origin-guard.js';
import { type RequestCount, addressOf } from '../guards/request-count.js';
import { requestIdOf } from '../watch/request-id.js';
import type { Settings } from '../settings/settings.js';

export interface GraphqlWsParts {
  readonly engine: GraphqlEngine<GraphqlContext>;
  readonly openSession: OpenGraphqlSession<GraphqlContext>;
  readonly guard: OriginGuard;
  /** Undefined for no limit. */
  readonly countRequest: RequestCount | undefined;
  readonly report: (error: unknown) => void;
}

type WsSettings = Pick<Settings, 'graphqlMaxOperations' | 'trustProxy'>;

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
