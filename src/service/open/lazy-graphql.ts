/** GraphQL, loaded after the service listens: it is most of the code, and the first answer over REST needs none of it. */

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { HttpHandler } from 'concordat';
import type { GraphqlHttpHandler } from 'concordat/graphql';
import type { GraphqlWs } from 'concordat/graphql-ws';
import type { Settings } from '../settings/settings.js';
import type { GraphqlParts } from './graphql.js';
import type { GraphqlWsParts } from './graphql-ws.js';

/** What GraphQL is made of, over HTTP and over WebSocket. */
export interface LazyGraphqlParts extends GraphqlParts, Pick<GraphqlWsParts, 'guard' | 'countRequest'> {
  /** Called when GraphQL cannot be loaded, and with the failures of whole WebSockets. */
  readonly reportSocket: GraphqlWsParts['report'];
}

/** Both transports of GraphQL. Whatever comes before they are loaded waits for them. */
export interface LazyGraphql {
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

const PATH = '/graphql';

/** How long, in milliseconds, after the service listens: a client that waited for it to start is answered before. */
const WARM_UP_DELAY = 250;

/**
 * With a manifest of trusted documents GraphQL is loaded at once, because that file may be wrong; nothing else that the
 * settings say about GraphQL can be.
 *
 * @throws an error that says what is wrong with the manifest
 */
export async function openLazyGraphql(parts: LazyGraphqlParts, settings: Settings): Promise<LazyGraphql> {
  const lazy = new Lazy(parts, settings);
  if (settings.graphqlTrustedDocuments !== undefined) await lazy.load();
  return {
    http: Object.assign((request: Parameters<HttpHandler>[0]) => lazy.answer(request), {
      findPath: (path: string) => (path === PATH ? lazy : undefined),
    }),
    handleUpgrade: (request, socket, head) => {
      lazy.upgrade(request, socket, head);
    },
    warmUp: () => {
      lazy.warmUp();
    },
    close: () => lazy.close(),
  };
}

class Lazy {
  readonly #parts: LazyGraphqlParts;
  readonly #settings: Settings;
  #loading: Promise<Loaded> | undefined;
  #loaded: Loaded | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(parts: LazyGraphqlParts, settings: Settings) {
    this.#parts = parts;
    this.#settings = settings;
  }

  load(): Promise<Loaded> {
    return (this.#loading ??= this.#load());
  }

  async #load(): Promise<Loaded> {
    const [{ openGraphql }, { openGraphqlWs }] = await Promise.all([
      import('./graphql.js'),
      import('./graphql-ws.js'),
    ]);
    const { http, engine, openSession } = await openGraphql(this.#parts, this.#settings);
    const { guard, countRequest, reportSocket: report } = this.#parts;
    const webSockets = openGraphqlWs({ engine, openSession, guard, countRequest, report }, this.#settings);
    this.#loaded = { http, webSockets };
    // The service may have begun to stop meanwhile.
    if (this.#isClosed) await closeBoth(this.#loaded);
    return this.#loaded;
  }

  answer(request: Parameters<HttpHandler>[0]): ReturnType<HttpHandler> {
    return this.#loaded === undefined
      ? this.load().then(({ http }) => http(request))
      : this.#loaded.http(request);
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (this.#loaded !== undefined) {
      this.#loaded.webSockets.handleUpgrade(request, socket, head);
      return;
    }
    // The HTTP server no longer handles the socket's errors; without a listener they would end the process.
    const ignore = (): void => undefined;
    socket.on('error', ignore);
    this.load()
      .then(({ webSockets }) => {
        webSockets.handleUpgrade(request, socket, head);
        socket.off('error', ignore);
      })
      .catch((error: unknown) => {
        this.#parts.reportSocket(error);
        socket.destroy();
      });
  }

  warmUp(): void {
    this.#timer = setTimeout(() => {
      this.load().catch(this.#parts.reportSocket);
    }, WARM_UP_DELAY).unref();
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#isClosed = true;
    // What failed to load has nothing to close. Its error has been reported.
    const loaded = await this.#loading?.catch(() => undefined);
    if (loaded !== undefined) await closeBoth(loaded);
  }
}

async function closeBoth({ http, webSockets }: Loaded): Promise<void> {
  http.close();
  await webSockets.close();
}
