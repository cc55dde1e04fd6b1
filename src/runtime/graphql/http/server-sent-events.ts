/** GraphQL over server-sent events: the "distinct connections" mode of the graphql-sse protocol. */

import type { FormattedExecutionResult } from 'graphql';
import type { HttpRequest, HttpResponse } from '../../http/message.js';
import type { GraphqlEngine } from '../execution/engine.js';
import { type EventSource, EventStream, type EventStreamOptions } from './sse-stream.js';
import type { GraphqlParameters } from '../document/graphql-parameters.js';
import type { PreparedOperation, RefusedOperation } from '../document/preparation.js';
import {
  type OpenGraphqlSession,
  nextContext,
  onExpiry,
  subscriptionContexts,
} from '../execution/session.js';

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'private, no-cache, no-transform',
  // Without it, nginx buffers the first kilobytes.
  'X-Accel-Buffering': 'no',
};

/** The open streams of a handler. */
export class EventStreams<Context, Host> {
  readonly #open = new Set<EventStream>();
  #isClosed = false;

  constructor(
    private readonly engine: GraphqlEngine<Context>,
    private readonly options: EventStreamOptions & {
      readonly openSession: OpenGraphqlSession<Context, Host>;
    },
  ) {}

  /** Runs an operation and answers with its results as `next` events, followed by `complete`. Errors are also results. */
  async respond(
    operation: PreparedOperation | RefusedOperation,
    { variables }: GraphqlParameters,
    request: HttpRequest<Host>,
  ): Promise<HttpResponse> {
    const { headers } = request;
    const explain = (error: unknown): FormattedExecutionResult => ({
      errors: [this.engine.failure(error, headers)],
    });
    if ('errors' in operation) return this.#sendOne(operation, explain);
    try {
      const session = await this.options.openSession(request);
      const { context, expiresAt } = session;
      if (operation.type !== 'subscription') {
        return this.#sendOne(await this.engine.execute(operation, variables, context, headers), explain);
      }
      const makeContext = subscriptionContexts(session, () => context);
      const results = await this.engine.subscribe(operation, variables, makeContext, headers);
      if (!(Symbol.asyncIterator in results)) return this.#sendOne(results, explain);
      const stream = this.#send(
        results,
        explain,
        expiresAt && { expiresAt, verify: () => nextContext(session) },
      );
      // A request on a kept-alive connection may arrive after close().
      if (this.#isClosed) stream.end();
      return responseOf(stream);
    } catch (error) {
      return this.#sendOne(explain(error), explain);
    }
  }

  get size(): number {
    return this.#open.size;
  }

  /** Ends every stream without a `complete`, so that clients reconnect to a process that is not stopping. */
  close(): void {
    this.#isClosed = true;
    for (const stream of this.#open) stream.end();
  }

  #sendOne(result: FormattedExecutionResult, explain: ErrorWriter): HttpResponse {
    const results = (async function* () {
      yield await Promise.resolve(result);
    })();
    return responseOf(this.#send(results, explain));
  }

  #send(results: EventSource['results'], explain: ErrorWriter, credential?: Credential): EventStream {
    let expiry: NodeJS.Timeout | undefined;
    const onEnd = (): void => {
      clearTimeout(expiry);
      this.#open.delete(stream);
    };
    const stream = new EventStream({ results, explain, onEnd }, this.options);
    this.#open.add(stream);
    if (credential !== undefined) {
      expiry = onExpiry(credential.expiresAt, () => void expire(stream, explain, credential));
    }
    return stream;
  }
}

type ErrorWriter = (error: unknown) => FormattedExecutionResult;

interface Credential {
  readonly expiresAt: Date;
  /** @throws when the credential is no longer valid */
  readonly verify: () => unknown;
}

async function expire(stream: EventStream, explain: ErrorWriter, { verify }: Credential): Promise<void> {
  try {
    await verify();
    stream.complete();
  } catch (error) {
    stream.complete(explain(error));
  }
}

function responseOf(stream: EventStream): HttpResponse {
  return {
    status: 200,
    headers: HEADERS,
    body: stream,
    // Made on demand: the transports that push do without it, and it takes as much memory as the stream itself.
    get signal() {
      return stream.signal;
    },
  };
}
