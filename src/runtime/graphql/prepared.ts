/** A document that may run, and its operations. */

import {
  type DocumentNode,
  type FormattedExecutionResult,
  type GraphQLSchema,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  type OperationTypeNode,
} from 'graphql';
import type { CompiledQuery, QueryCompiler } from './compiler.js';
import { builtInJson } from './json-writer.js';
import { type ResultWriter, compileResultWriter } from './result-writer.js';

/** What a document's operations share. */
export interface PreparedContext {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly compile: QueryCompiler | undefined;
}

/** An operation that was parsed, checked against the limits and validated. */
export class PreparedOperation {
  readonly type: `${OperationTypeNode}`;
  readonly name: string | undefined;
  readonly document: DocumentNode;
  readonly #context: PreparedContext;
  #runs = 0;
  #compiled: CompiledQuery | undefined;
  #writer: ResultWriter | undefined;

  constructor(context: PreparedContext, { operation, name }: OperationDefinitionNode) {
    this.#context = context;
    this.document = context.document;
    this.type = operation;
    this.name = name?.value;
  }

  /**
   * The query as a function, from its second run on: compiling most queries costs more than one run. Mutations are never
   * compiled, because after one fails the later ones must not run, and not every compiler ensures that.
   */
  compiled(): CompiledQuery | undefined {
    if (this.type === 'query' && ++this.#runs === 2) {
      const { compile, schema, document } = this.#context;
      this.#compiled = compile?.(schema, document, this.name);
      if (this.#compiled !== undefined) this.#writer = compileResultWriter(document, this.name);
    }
    return this.#compiled;
  }

  /**
   * @param limit - in bytes
   * @returns a result of this operation as JSON, as text or in UTF-8; undefined where it would be longer than the limit
   */
  jsonOf(result: FormattedExecutionResult, limit: number): string | Uint8Array | undefined {
    const { errors, extensions } = result;
    const write = errors === undefined && extensions === undefined ? this.#writer : undefined;
    return write === undefined ? builtInJson(result, limit) : write(result, limit);
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
