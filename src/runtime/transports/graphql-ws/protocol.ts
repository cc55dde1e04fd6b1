/** Binds an engine to graphql-ws, which implements the protocol. */

import type { IncomingMessage } from 'node:http';
import {
  type ExecutionArgs,
  type FormattedExecutionResult,
  GraphQLError,
  type GraphQLFormattedError,
} from 'graphql';
import { type Context as ConnectionContext, makeServer, type OperationResult, type Server } from 'graphql-ws';
import {
  type GraphqlClient,
  type GraphqlEngine,
  type GraphqlSession,
  nextContext,
  type OpenGraphqlSession,
  type PreparedOperation,
  problemResult,
  readParameters,
  type ResultStream,
  subscriptionContexts,
  type Variables,
} from '../../graphql/index.js';
import { Problem, type RequestHeaders } from '../../index.js';
import { type SlowSocket, sendNext } from './slow-socket.js';
import { Printable, printedId } from '../../http/message.js';

/** An error that the engine has already formatted for clients, as the GraphQLError that graphql-ws requires. */
class FormattedError extends GraphQLError {
  constructor(private readonly formatted: GraphQLFormattedError) {
    super(formatted.message, { extensions: formatted.extensions ?? null });
  }

  override toJSON(): GraphQLFormattedError {
    return this.formatted;
  }
}

export interface ProtocolOptions<Context> {
  readonly engine: GraphqlEngine<Context>;
  /** Identifies the caller; called once per connection. The host is the request of the upgrade. */
  readonly openSession: OpenGraphqlSession<Context, IncomingMessage>;
  /**
   * Called with the request of the upgrade before a connection is accepted, and again before each operation on it. It throws a
   * `Problem` to refuse, for example at a rate limit.
   */
  readonly admit?: (request: IncomingMessage) => void | Promise<void>;
  /** Returns the client's address, for servers behind a proxy; the address of the connection unless given. */
  readonly addressOf?: (request: IncomingMessage) => string | undefined;
  /** The maximum number of simultaneous operations per connection; 50 unless given. */
  readonly maxOperations?: number;
}

export interface Connection<Context> {
  readonly socket: SlowSocket;
  readonly request: IncomingMessage;
  /** Set once the connection is initialised. */
  session?: GraphqlSession<Context>;
  /** The number of running operations, including those that the client has cancelled. */
  running: number;
}

/** The value that graphql-ws passes from `onSubscribe` to `execute` and `subscribe`, in place of the context. */
interface StartedOperation<Context> {
  readonly connection: Connection<Context>;
  /** The client's id of the operation. */
  readonly id: string;
  readonly session: GraphqlSession<Context>;
  readonly operation: PreparedOperation;
  readonly variables: Variables | undefined;
}

export function protocolServer<Context>(options: ProtocolOptions<Context>): Server<Connection<Context>> {
  const binding = new Binding(options);
  return makeServer<Record<string, unknown>, Connection<Context>>({
    connectionInitWaitTimeout: 3_000,
    onConnect: (context) => binding.initialise(context),
    onSubscribe: ({ extra }, id, payload) => binding.prepare(extra, id, payload),
    // The engine's results are already formatted for clients; the types of graphql-ws have only those of graphql-js.
    execute: ({ contextValue }) =>
      binding.execute(contextValue as StartedOperation<Context>) as OperationResult,
    subscribe: ({ contextValue }) =>
      binding.subscribe(contextValue as StartedOperation<Context>) as OperationResult,
    onNext: (_context, _id, _payload, _args, result) => result as FormattedExecutionResult,
  });
}

class Binding<Context> {
  readonly #engine: GraphqlEngine<Context>;
  readonly #options: ProtocolOptions<Context>;
  readonly #maxOperations: number;

  constructor(options: ProtocolOptions<Context>) {
    this.#engine = options.engine;
    this.#options = options;
    this.#maxOperations = options.maxOperations ?? 50;
  }

  async initialise({ extra: connection, connectionParams }: Initialised<Context>): Promise<void> {
    try {
      const { request } = connection;
      const { addressOf, openSession } = this.#options;
      const address = addressOf === undefined ? request.socket.remoteAddress : addressOf(request);
      const session = await openSession(new ConnectedClient(request, connectionParams, address));
      connection.session = session;
      if (session.expiresAt !== undefined) connection.socket.expireAt(session.expiresAt);
    } catch (error) {
      this.#engine.failure(error, connection.request.headers); // reports an unexpected error
      connection.socket.refuse();
    }
  }

  /** @returns the operation to run, or the errors for an `error` message that refuses it */
  async prepare(
    connection: Connection<Context>,
    id: string,
    payload: unknown,
  ): Promise<ExecutionArgs | readonly FormattedError[]> {
    const { session } = connection;
    if (session === undefined) return refusal([{ message: 'The connection is not initialised' }]);
    if (connection.running >= this.#maxOperations) {
      const message = `A connection may have at most ${String(this.#maxOperations)} operations at once`;
      return refusal([{ message, extensions: { code: 'LIMIT_EXCEEDED' } }]);
    }
    // Counted before the first `await`, so that a burst of operations cannot exceed the limit.
    connection.running++;
    let isRefused = true;
    try {
      await this.#options.admit?.(connection.request);
      const parameters = readParameters(payload);
      const operation = this.#engine.prepare(parameters);
      if ('errors' in operation) return refusal(operation.errors);
      const run: StartedOperation<Context> = {
        connection,
        id,
        session,
        operation,
        variables: parameters.variables,
      };
      isRefused = false;
      // graphql-ws reads the operation's type from the document, and passes the rest to the functions above.
      const { document, name } = operation;
      const args = { document, operationName: name, contextValue: run };
      return args as unknown as ExecutionArgs;
    } catch (error) {
      if (error instanceof Problem) return refusal(problemResult(error).errors ?? []);
      return refusal([this.#engine.failure(error, connection.request.headers)]);
    } finally {
      if (isRefused) connection.running--;
    }
  }

  execute(run: StartedOperation<Context>): Deliveries {
    const { connection, session, operation, variables } = run;
    const leaving = new AbortController();
    const { headers } = connection.request;
    const result = async (): Promise<FormattedExecutionResult> => {
      try {
        const context = await nextContext(session);
        return await this.#engine.execute(operation, variables, context, headers, leaving);
      } catch (error) {
        return { errors: [this.#failure(error, connection)] };
      }
    };
    const results: Results = {
      forEach: async (take) => {
        await take(await result());
      },
      return: () => leaving.abort(),
    };
    return this.#deliver(results, run);
  }

  async subscribe(run: StartedOperation<Context>): Promise<Deliveries | FormattedExecutionResult> {
    const { connection, session, operation, variables } = run;
    try {
      const { headers } = connection.request;
      const makeContext = subscriptionContexts(session, () => nextContext(session));
      const results = await this.#engine.subscribe(operation, variables, makeContext, headers);
      if (Symbol.asyncIterator in results) return this.#deliver(results, run);
      connection.running--;
      return results;
    } catch (error) {
      connection.running--;
      return { errors: [this.#failure(error, connection)] };
    }
  }

  /** Sends the results past graphql-ws, which would encode them for each subscriber; it gets only their end or error. */
  #deliver(results: Results, { connection, id }: StartedOperation<Context>): Deliveries {
    let isRunning = true;
    const end = (): IteratorReturnResult<undefined> => {
      if (isRunning) connection.running--;
      isRunning = false;
      return { done: true, value: undefined };
    };
    return {
      next: async () => {
        try {
          // Results that were pending when the client completed the operation are not sent.
          await results.forEach((result) =>
            isRunning ? sendNext(connection.socket, id, result) : undefined,
          );
          return end();
        } catch (error) {
          end();
          throw new FormattedError(this.#failure(error, connection));
        }
      },
      return: async () => {
        end();
        await results.return();
        return end();
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }

  /** Formats a failure. Some failures concern the whole connection and end it. */
  #failure(error: unknown, { socket, request }: Connection<Context>): GraphQLFormattedError {
    const failure = this.#engine.failure(error, request.headers);
    switch (failure.extensions?.['code']) {
      case 'UNAUTHENTICATED':
        socket.expire(failure.message);
        break;
      case 'LIMIT_EXCEEDED':
        socket.giveUp(failure.message);
        break;
    }
    return failure;
  }
}

type Initialised<Context> = ConnectionContext<Record<string, unknown>, Connection<Context>>;
/** The results of one operation; `return` ends it. */
type Results = Pick<ResultStream<FormattedExecutionResult>, 'forEach'> & { return(): unknown };
/** An iteration without values. */
type Deliveries = AsyncIterableIterator<never, undefined, void>;

function refusal(errors: readonly GraphQLFormattedError[]): readonly FormattedError[] {
  return errors.map((error) => new FormattedError(error));
}

/** The client of a WebSocket session, printed without the credentials of its upgrade and its `connection_init`. */
export class ConnectedClient extends Printable implements GraphqlClient<IncomingMessage> {
  readonly #request: IncomingMessage;
  readonly #connectionParams: GraphqlClient['connectionParams'];

  constructor(
    request: IncomingMessage,
    connectionParams: GraphqlClient['connectionParams'],
    readonly address: string | undefined,
  ) {
    super();
    this.#request = request;
    this.#connectionParams = connectionParams;
  }

  get headers(): RequestHeaders {
    return this.#request.headers;
  }

  get host(): IncomingMessage {
    return this.#request;
  }

  get connectionParams(): GraphqlClient['connectionParams'] {
    return this.#connectionParams;
  }

  override toJSON(): object {
    return { address: this.address, ...printedId(this.headers) };
  }
}
