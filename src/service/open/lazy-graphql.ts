/** Loads GraphQL after the service listens, because it is most of the code and the first answer over REST does not need it. */

import type { HttpHandler } from '@concordat/runtime';
import type { GraphqlHttpHandler } from '@concordat/runtime/graphql';
import type { GraphqlWs } from '@concordat/runtime/graphql-ws';
import type { Settings } from '../settings/settings.js';
import type { GraphqlParts, GraphqlWsParts } from './graphql.js';

/** The parts of GraphQL, over HTTP and WebSocket. */
interface LazyGraphqlParts extends GraphqlParts, Pick<GraphqlWsParts, 'guard' | 'countRequest'> {
  /** Called with the error when GraphQL cannot be loaded, and with the failures of whole WebSockets. */
  readonly reportSocket: GraphqlWsParts['report'];
}

/** Both transports of GraphQL. Requests that come before they are loaded wait for them. */
interface LazyGraphql {
  readonly http: HttpHandler;
  readonly handleUpgrade: GraphqlWs['handleUpgrade'];
  /** Loads GraphQL soon, so that its first request need not wait. */
  warmUp(): void;
  /** Ends every event stream and WebSocket. */
  close(): Promise<void>;
}

interface Loaded {
  readonly http: GraphqlHttpHandler;
  readonly webSockets: GraphqlWs;
}

/** The milliseconds between listening and loading, so that a client that waited for the start is answered first. */
const WARM_UP_DELAY = 250;

/**
 * Opens GraphQL. With a manifest of trusted documents or a schema of the application, GraphQL is loaded at once, because these may be
 * invalid; the other settings of GraphQL have already been checked.
 *
 * @throws an error that explains why the manifest cannot be read, or that names a missing resolver
 */
export async function openLazyGraphql(parts: LazyGraphqlParts, settings: Settings): Promise<LazyGraphql> {
  const { guard, countRequest, reportSocket: report } = parts;
  let loading: Promise<Loaded> | undefined;
  let loaded: Loaded | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const load = (): Promise<Loaded> => (loading ??= loadNow());

  async function loadNow(): Promise<Loaded> {
    const { openGraphql, openGraphqlWs } = await import('./graphql.js');
    const { http, engine, openSession } = await openGraphql(parts, settings);
    const webSockets = openGraphqlWs({ engine, openSession, guard, countRequest, report }, settings);
    loaded = { http, webSockets };
    parts.metrics.read('streams', () => [
      [http.countStreams(), 'sse'],
      [webSockets.countConnections(), 'websocket'],
    ]);
    // The service may have stopped meanwhile.
    if (isClosed) await closeBoth(loaded);
    return loaded;
  }

  if (settings.graphqlTrustedDocuments !== undefined || parts.own !== undefined) await load();
  return {
    http: (request) =>
      loaded === undefined ? load().then(({ http }) => http(request)) : loaded.http(request),
    handleUpgrade(request, socket, head) {
      if (loaded !== undefined) {
        loaded.webSockets.handleUpgrade(request, socket, head);
        return;
      }
      // The HTTP server no longer handles the socket's errors; without a listener they would end the process.
      const ignore = (): void => undefined;
      socket.on('error', ignore);
      load()
        .then(({ webSockets }) => {
          webSockets.handleUpgrade(request, socket, head);
          socket.off('error', ignore);
        })
        .catch((error: unknown) => {
          report(error);
          socket.destroy();
        });
    },
    warmUp() {
      timer = setTimeout(() => {
        load().catch(report);
      }, WARM_UP_DELAY).unref();
    },
    async close() {
      clearTimeout(timer);
      isClosed = true;
      // If loading failed, there is nothing to close, and the error has been reported.
      const opened = await loading?.catch(() => undefined);
      if (opened !== undefined) await closeBoth(opened);
    },
  };
}

async function closeBoth({ http, webSockets }: Loaded): Promise<void> {
  http.close();
  await webSockets.close();
}
