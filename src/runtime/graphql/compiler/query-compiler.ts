/** Compiles a query into functions that give the same result as graphql-js when nothing fails. */

import {
  type DocumentNode,
  type ExecutionResult,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLLeafType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  type OperationDefinitionNode,
  OperationTypeNode,
  getOperationAST,
} from 'graphql';
import { isThenable } from '../../http/message.js';
import { type FieldPlan, fragmentsOf, type QuerySource, Unsupported, writeQuery } from './query-source.js';
import { type Coerced, type Variables, compileVariables } from './query-inputs.js';

/**
 * A query as a function. If its result has errors, the engine discards it and interprets the query instead. So a compiler need
 * not agree with `graphql` on errors or on the nulls that they propagate.
 */
export type CompiledQuery = (
  context: unknown,
  variables: Variables | undefined,
) => ExecutionResult | Promise<ExecutionResult>;

/**
 * @returns undefined for a query that this compiler cannot serve exactly as `graphql` does
 */
export type QueryCompiler = (
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | undefined,
) => CompiledQuery | undefined;

type Path = GraphQLResolveInfo['path'];
type Complete = (value: unknown, run: QueryRun, path?: Path) => unknown;

/** The parts of a query that are the same in each run. */
interface Query {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: Record<string, FragmentDefinitionNode>;
}

/**
 * A compiler for `graphqlEngine`. It does not support directives such as `@skip`, selections on interfaces or unions, object
 * types with `isTypeOf`, or introspection: the engine interprets these queries, and each run that fails.
 *
 * It calls `new Function`, which some hosts forbid.
 *
 * @example
 * ```ts
 * const engine = graphqlEngine({ schema, explain, report, compile: compileQuery });
 * ```
 */
export const compileQuery: QueryCompiler = (schema, document, operationName) => {
  const operation = getOperationAST(document, operationName);
  const type = schema.getQueryType();
  if (operation?.operation !== OperationTypeNode.QUERY || !type || operation.directives?.length)
    return undefined;
  const fragments = fragmentsOf(document);
  let source: QuerySource;
  try {
    source = writeQuery(schema, type, operation.selectionSet, fragments);
  } catch (error) {
    if (error instanceof Unsupported) return undefined;
    throw error;
  }
  const root = compileSource(source);
  const query = { schema, operation, fragments: Object.fromEntries(fragments) };
  const readVariables = compileVariables(schema, operation);
  return (context, given) => {
    const variables = readVariables(given);
    if (variables === undefined) return failed('A variable does not fit');
    try {
      return new QueryRun(query, context, variables).start(root);
    } catch (error) {
      return failed(error);
    }
  };
};

/** Safe: the only client text in the source is names, which GraphQL's grammar limits to letters, digits and `_`. */
function compileSource({ lines, root, plans, leaves }: QuerySource): Complete {
  const tools = { completeLeaf, isThenable, Unsupported };
  const text = [
    `const { ${Object.keys(tools).join(', ')} } = tools;`,
    ...plans.map((_, index) => `const plan${String(index)} = plans[${String(index)}];`),
    ...leaves.map((_, index) => `const leaf${String(index)} = leaves[${String(index)}];`),
    ...lines,
    `return ${root};`,
  ].join('\n');
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- functions with constant property names can only be made from source
  const make = new Function('tools', 'plans', 'leaves', text) as (...parts: readonly unknown[]) => Complete;
  return make(tools, plans, leaves);
}

function completeLeaf(type: GraphQLLeafType, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (value instanceof Error) throw value;
  const result = type.serialize(value);
  if (result === null || result === undefined) throw new Unsupported();
  return result;
}

/** One run of a query. */
class QueryRun {
  #waiting = 0;
  #data: unknown;
  #end: ((result: ExecutionResult) => void) | undefined;
  #isOver = false;

  constructor(
    private readonly query: Query,
    private readonly context: unknown,
    private readonly variables: Coerced,
  ) {}

  start(root: Complete): ExecutionResult | Promise<ExecutionResult> {
    try {
      this.#data = root(undefined, this);
    } catch (error) {
      // Values that are still pending no longer belong to this response.
      this.#fail(error);
      throw error;
    }
    if (this.#waiting === 0) return this.#result();
    return new Promise((resolve) => (this.#end = resolve));
  }

  /** Calls a resolver. */
  resolve(plan: FieldPlan, source: unknown, path: Path | undefined): unknown {
    const { parentType, field, nodes, name, readArguments } = plan;
    const { schema, operation, fragments } = this.query;
    const info: GraphQLResolveInfo = {
      fieldName: field.name,
      fieldNodes: nodes,
      returnType: field.type,
      parentType,
      path: { prev: path, key: name, typename: parentType.name },
      schema,
      fragments,
      rootValue: undefined,
      operation,
      variableValues: this.variables,
    };
    return field.resolve?.(source, readArguments(this.variables), this.context, info);
  }

  /** Waits for a pending value. @param complete - called with the settled value */
  wait(value: PromiseLike<unknown>, complete: (settled: unknown) => void): void {
    this.#waiting += 1;
    value.then(
      (settled) => {
        if (this.#isOver) return;
        try {
          complete(settled);
        } catch (error) {
          this.#fail(error);
          return;
        }
        this.#waiting -= 1;
        if (this.#waiting === 0) this.#end?.(this.#result());
      },
      (error: unknown) => {
        this.#fail(error);
      },
    );
  }

  #result(): ExecutionResult {
    return { data: this.#data as Record<string, unknown> };
  }

  #fail(error: unknown): void {
    this.#isOver = true;
    this.#end?.(failed(error));
  }
}

/** The engine will interpret the query again, so the exact error does not matter here. */
function failed(cause: unknown): ExecutionResult {
  const message = cause instanceof Error ? cause.message : 'A resolver failed';
  return { errors: [new GraphQLError(message)] };
}
