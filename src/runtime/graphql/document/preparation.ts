/** Prepares the operation of a request: finds the source, parses, measures, validates and chooses the operation. */

import {
  type DocumentNode,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  Kind,
  NoSchemaIntrospectionCustomRule,
  type OperationDefinitionNode,
  parse,
  specifiedRules,
  validate,
  OperationTypeNode,
  type SelectionSetNode,
} from 'graphql';
import type { CompiledQuery, QueryCompiler } from '../compiler/query-compiler.js';
import type { DocumentCache } from './document-cache.js';
import type { EngineErrorCode, ErrorFormatter } from './errors.js';
import {
  BESIDE_FIELDS,
  exceededBySource,
  exceededLimit,
  isNestedDeeper,
  type Limits,
  measureDocument,
} from './limits.js';
import { isObject } from '../../failures/json-value.js';
import type { GraphqlParameters } from './graphql-parameters.js';
import { fragmentsOf } from '../compiler/selections.js';

/** A request that does not run, in the shape of a GraphQL response. */
export interface RefusedOperation {
  readonly errors: readonly [GraphQLFormattedError, ...GraphQLFormattedError[]];
}

interface PreparationOptions {
  readonly schema: GraphQLSchema;
  readonly limits: Limits;
  readonly introspection: boolean;
  readonly suggestions: boolean;
  readonly trustedDocuments: TrustedDocuments | undefined;
  readonly compile: QueryCompiler | undefined;
  readonly cache: DocumentCache<PreparedDocument>;
  readonly errors: ErrorFormatter;
}

/** Thrown and caught in this file, so that the steps read in sequence. */
class Refusal extends Error {
  readonly errors: readonly GraphQLError[];

  constructor(
    readonly code: EngineErrorCode,
    ...errors: readonly (GraphQLError | string)[]
  ) {
    super(code);
    this.errors = errors.map((error) => (typeof error === 'string' ? new GraphQLError(error) : error));
  }
}

export class Preparation {
  readonly #rules;
  readonly #trustedSources: ReadonlySet<string>;

  constructor(private readonly options: PreparationOptions) {
    this.#rules = options.introspection
      ? specifiedRules
      : [...specifiedRules, NoSchemaIntrospectionCustomRule];
    this.#trustedSources = new Set(options.trustedDocuments?.values());
  }

  prepare(parameters: GraphqlParameters): PreparedOperation | RefusedOperation {
    const { cache } = this.options;
    try {
      if (isNestedDeeper(parameters.variables, BESIDE_FIELDS)) {
        throw new Refusal('LIMIT_EXCEEDED', `The variables have more than ${String(BESIDE_FIELDS)} levels`);
      }
      const source = this.#sourceOf(parameters);
      let document = cache.get(source);
      if (document === undefined) {
        const parsed = this.#parse(source);
        document = this.#check(parsed);
        cache.add(source, parsed.tokenCount ?? source.length, document);
      }
      return this.#choose(document, parameters.operationName);
    } catch (thrown) {
      // Only a chain of thousands of fragments, each of which spreads the next, can still nest so deep.
      const isTooDeep = thrown instanceof RangeError;
      const error = isTooDeep ? new Refusal('LIMIT_EXCEEDED', 'The document is nested too deeply') : thrown;
      const { errors } = this.options;
      const refused = error instanceof Refusal ? error : undefined;
      const [first, ...others] = refused?.errors.map((each) => errors.refusal(refused.code, each)) ?? [];
      // A fault of this code or of the schema is an error of this operation only.
      return { errors: [first ?? errors.ofFailure(error, undefined), ...others] };
    }
  }

  #sourceOf({ query, documentId }: GraphqlParameters): string {
    const { trustedDocuments } = this.options;
    if (trustedDocuments === undefined) {
      // The WebSocket protocol requires a query, so a client that sends an id sends an empty query.
      if (query !== undefined && (query !== '' || documentId === undefined)) return query;
      if (documentId === undefined) throw new Refusal('BAD_USER_INPUT', 'The parameter query is missing');
      // After this message, clients that use Apollo's persisted queries send the query itself.
      throw new Refusal('PERSISTED_QUERY_NOT_SUPPORTED', 'PersistedQueryNotSupported');
    }
    const source = documentId === undefined ? query : trustedDocuments.get(documentId);
    if (source !== undefined && this.#trustedSources.has(source)) return source;
    throw new Refusal('FORBIDDEN', 'Only the trusted documents of this service are served');
  }

  #parse(source: string): DocumentNode {
    const { tokens, depth } = this.options.limits;
    try {
      const excess = exceededBySource(source, { tokens, nesting: depth + BESIDE_FIELDS });
      if (excess !== undefined) throw new Refusal('LIMIT_EXCEEDED', excess);
      return parse(source);
    } catch (error) {
      throw error instanceof GraphQLError ? new Refusal('GRAPHQL_PARSE_FAILED', error) : error;
    }
  }

  #check(document: DocumentNode): PreparedDocument {
    const { schema, limits, suggestions, compile } = this.options;
    const measure = measureDocument(document);
    const excess = exceededLimit(measure, limits);
    if (excess !== undefined) throw new Refusal('LIMIT_EXCEEDED', excess);
    // First, because a rule of graphql-js throws for such a condition with a variable.
    const conditions = rootConditions(document);
    if (conditions.length > 0) throw new Refusal('GRAPHQL_VALIDATION_FAILED', ...conditions);
    const errors = validate(schema, document, this.#rules, { hideSuggestions: !suggestions, maxErrors: 20 });
    // graphql-js bounds how many pairs of fields it compares, and its message does not say so.
    if (errors.at(-1)?.message === 'Validation aborted.') {
      throw new Refusal('LIMIT_EXCEEDED', 'The document repeats fields too often: ask for each once');
    }
    if (errors.length > 0) throw new Refusal('GRAPHQL_VALIDATION_FAILED', ...errors);
    // A compiler expands fragments. A document that would become too large is interpreted.
    const isCompact = measure.selections <= limits.tokens;
    return new PreparedDocument({ schema, document, compile: isCompact ? compile : undefined });
  }

  #choose(document: PreparedDocument, operationName: string | undefined): PreparedOperation {
    try {
      return document.operation(operationName);
    } catch (error) {
      if (error instanceof GraphQLError) throw new Refusal('BAD_USER_INPUT', error);
      throw error;
    }
  }
}

/** The data that all operations of a document share. */
interface PreparedContext {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly compile: QueryCompiler | undefined;
}

/** An operation of a document that has been parsed, checked against the limits and validated. */
export class PreparedOperation {
  readonly type: 'query' | 'mutation' | 'subscription';
  readonly name: string | undefined;
  readonly document: DocumentNode;
  #runs = 0;
  #compiled: CompiledQuery | undefined;

  constructor(
    private readonly context: PreparedContext,
    { operation, name }: OperationDefinitionNode,
  ) {
    this.document = context.document;
    this.type = operation;
    this.name = name?.value;
  }

  /**
   * The query as a function, from its second run on: compiling most queries costs more than one run. Mutations are never
   * compiled: when one fails, the later ones must not run, and not every compiler ensures that.
   */
  compiled(): CompiledQuery | undefined {
    if (this.type === 'query' && ++this.#runs === 2) {
      const { compile, schema, document } = this.context;
      this.#compiled = compile?.(schema, document, this.name);
    }
    return this.#compiled;
  }
}

export class PreparedDocument {
  readonly #operations: ReadonlyMap<string | undefined, PreparedOperation>;

  constructor(context: PreparedContext) {
    const operations = context.document.definitions
      .filter((definition) => definition.kind === Kind.OPERATION_DEFINITION)
      .map((definition) => new PreparedOperation(context, definition));
    this.#operations = new Map(operations.map((operation) => [operation.name, operation]));
  }

  /**
   * Chooses the operation by name, or the only one (GraphQL, "GetOperation").
   *
   * @throws GraphQLError when there is no such operation, or the name is missing
   */
  operation(name: string | undefined): PreparedOperation {
    if (name !== undefined) {
      const named = this.#operations.get(name);
      if (named === undefined) throw new GraphQLError(`The document has no operation named "${name}"`);
      return named;
    }
    const [first, ...others] = this.#operations.values();
    if (first === undefined) throw new GraphQLError('The document has no operation');
    if (others.length > 0) {
      throw new GraphQLError('The document has several operations: operationName must say which one to run');
    }
    return first;
  }
}

/** The source of each trusted document, by the id that clients may send instead. */
export type TrustedDocuments = ReadonlyMap<string, string>;

/**
 * Reads a manifest that a client's tool wrote: an object of sources by id (GraphQL Code Generator's client preset, Relay), or
 * one whose `operations` is a list of `{ id, body }` (Apollo).
 *
 * @param manifest - the parsed JSON
 * @throws an error that names the fault and its place in the manifest
 */
export function readTrustedDocuments(manifest: unknown): TrustedDocuments {
  if (!isObject(manifest)) throw new Error('a manifest of trusted documents must be a JSON object');
  const { operations } = manifest;
  if (Array.isArray(operations)) return new Map(operations.map(readOperation));
  return new Map(
    Object.entries(manifest).map(([id, source]) => {
      if (typeof source === 'string') return [id, source];
      throw new Error(`the trusted document ${JSON.stringify(id)} must be a string`);
    }),
  );
}

function readOperation(operation: unknown, index: number): readonly [id: string, source: string] {
  const { id, body } = isObject(operation) ? operation : {};
  if (typeof id === 'string' && typeof body === 'string') return [id, body];
  throw new Error(`operations/${String(index)} must have an id and a body, both strings`);
}

/** @returns an error per `@skip` or `@include` at the root of a subscription, also in the fragments that are spread there */
function rootConditions(document: DocumentNode): readonly GraphQLError[] {
  const errors: GraphQLError[] = [];
  const fragments = fragmentsOf(document);
  const visited = new Set<SelectionSetNode>();

  function check(set: SelectionSetNode): void {
    if (visited.has(set)) return;
    visited.add(set);
    for (const selection of set.selections) {
      for (const directive of selection.directives ?? []) {
        const name = directive.name.value;
        if (name !== 'skip' && name !== 'include') continue;
        const message = `The directive @${name} is not allowed at the root of a subscription`;
        errors.push(new GraphQLError(message, { nodes: directive }));
      }
      if (selection.kind === Kind.INLINE_FRAGMENT) check(selection.selectionSet);
      else if (selection.kind === Kind.FRAGMENT_SPREAD) {
        const fragment = fragments.get(selection.name.value);
        if (fragment !== undefined) check(fragment.selectionSet);
      }
    }
  }

  for (const definition of document.definitions) {
    const isOperation = definition.kind === Kind.OPERATION_DEFINITION;
    if (isOperation && definition.operation === OperationTypeNode.SUBSCRIPTION)
      check(definition.selectionSet);
  }
  return errors.slice(0, MOST_ERRORS);
}

/** As many as of the other rules. */
const MOST_ERRORS = 20;
