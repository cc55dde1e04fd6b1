/** The options of an engine for GraphQL operations. */

import type { GraphQLSchema } from 'graphql';
import type { QueryCompiler } from '../compiler/query-compiler.js';
import type { CacheBounds } from '../document/document-cache.js';
import type { ErrorOptions } from '../document/errors.js';
import type { Limits } from '../document/limits.js';
import type { TrustedDocuments } from '../document/preparation.js';
import type { ConstraintChecks } from './constraints.js';
import type { RunningOperation } from './running-operation.js';

export interface GraphqlEngineOptions<Context = unknown> extends ErrorOptions {
  readonly schema: GraphQLSchema;
  /** All exports of the generated `constraints.ts`, for a schema with `@constraint`. */
  readonly constraints?: ConstraintChecks;
  /** Limits; {@link defaultLimits} gives the missing ones. */
  readonly limits?: Partial<Limits>;
  /** The bounds of the document cache; {@link defaultCacheBounds} unless given. */
  readonly cache?: Partial<CacheBounds>;
  /** Whether clients may read the schema; true by default. */
  readonly introspection?: boolean;
  /** Whether messages may suggest names of the schema ("Did you mean …"); true by default. */
  readonly suggestions?: boolean;
  /** When given, only these documents are served. */
  readonly trustedDocuments?: TrustedDocuments;
  /**
   * A key of the data in a context that results depend on, such as the rights of its caller: subscribers with the same key,
   * operation and variables share one execution per event, so each event must be a new object. Undefined for a context that shares no execution, which is the default.
   */
  readonly sharingKey?: (context: Context) => string | undefined;
  /**
   * The id of an event, one line of text; none by default. Clients get it with server-sent events, and send the last one as
   * `Last-Event-ID` when they reconnect. If a source stream has a `lastEventId`, they get that one at once.
   */
  readonly eventId?: (event: unknown) => string | undefined;
  /**
   * Called before an operation runs. If a compiled query fails without the values of its resolvers, the engine calls this again
   * with the same context, and then runs all resolvers again: a context that counts work must start again.
   */
  readonly begin?: (context: Context, running: RunningOperation) => void;
  /** Compiles queries, for example `compileQuery`; without it, all queries are interpreted. */
  readonly compile?: QueryCompiler;
}
