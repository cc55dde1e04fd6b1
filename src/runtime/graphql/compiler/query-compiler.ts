/** Compiles a query into functions that give the same result as graphql-js when nothing fails. */

import {
  defaultTypeResolver,
  type DocumentNode,
  type ExecutionResult,
  type FragmentDefinitionNode,
  type GraphQLAbstractType,
  GraphQLError,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  type OperationDefinitionNode,
  OperationTypeNode,
  getOperationAST,
} from 'graphql';
import { type Coerced, type Variables, outputOf, valueOf } from './graphql-values.js';
import { compileVariables } from './query-inputs.js';
import { type FieldPlan, type QuerySource, writeQuery } from './query-source.js';
import { disown } from './disowned.js';
import { type Outcome, type Outcomes, outcomesUpTo, type Path, Thrown } from './outcomes.js';
import { WRITER_TOOLS } from './result-writer.js';
import { type Conditions, conditionVariables, fragmentsOf, Selections, Unsupported } from './selections.js';
import { isTurnOver, Turns } from './turns.js';

/**
 * A query as a function. If its result has errors, the engine discards it and interprets the query instead. So a compiler need
 * not agree with `graphql` on errors or on the nulls that they propagate.
 */
export type CompiledQuery = (
  context: unknown,
  variables: Variables | undefined,
) => CompiledResult | Promise<CompiledResult>;

export interface CompiledResult extends ExecutionResult {
  /** The values of its resolvers, if it has errors. If they are absent, the engine calls the resolvers again. */
  readonly outcomes?: (() => Outcomes) | undefined;
}

/** @returns undefined for a query that this compiler cannot serve exactly as `graphql` does */
export type QueryCompiler = (
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | undefined,
) => CompiledQuery | undefined;

type Complete = (value: unknown, run: QueryRun, path?: Path) => unknown;

/** The parts of a query that are the same in each run. */
interface Query {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: Record<string, FragmentDefinitionNode>;
}

/** The values of the variables of `@skip` and `@include` decide which fields are selected. Code is kept for so many of them. */
const MOST_VARIANTS = 8;

/**
 * A compiler for `graphqlEngine`. It does not support introspection, `@defer` and `@stream`: the engine interprets these
 * queries, and each run that fails.
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
  if (operation?.operation !== OperationTypeNode.QUERY || !type) return undefined;
  const fragments = fragmentsOf(document);
  const sourceFor = (conditions: Conditions): QuerySource =>
    writeQuery(schema, type, operation.selectionSet, new Selections(schema, fragments, conditions));
  const names = conditionVariables(document, operation);
  const variants = new Map<string, Complete>();
  try {
    // The query with all of its selections is the largest variant, so if it can be compiled, all can.
    const source = sourceFor(undefined);
    if (names.length === 0) variants.set('', compileSource(source));
  } catch (error) {
    if (error instanceof Unsupported) return undefined;
    throw error;
  }
  const rootFor = (variables: Coerced): Complete => {
    const values = names.map((name) => {
      const value = valueOf(variables, name);
      // It is an error if the selection is reached.
      if (typeof value !== 'boolean') throw new Unsupported();
      return value;
    });
    const key = values.join();
    let root = variants.get(key);
    if (root === undefined) {
      if (variants.size === MOST_VARIANTS) throw new Unsupported();
      root = compileSource(sourceFor(new Map(names.map((name, index) => [name, values[index] === true]))));
      variants.set(key, root);
    }
    return root;
  };
  const query = { schema, operation, fragments: Object.fromEntries(fragments) };
  const readVariables = compileVariables(schema, operation);
  return (context, given) => {
    const variables = readVariables(given);
    if (variables === undefined) return failed('A variable does not fit');
    try {
      return new QueryRun(query, context, variables).start(rootFor(variables));
    } catch (error) {
      return failed(error);
    }
  };
};

const TOOLS = { ...WRITER_TOOLS, completeLeaf, disown, isTurnOver, Thrown, Unsupported };

/** Safe: the only client text in the source is names, which GraphQL's grammar limits to letters, digits and `_`. */
function compileSource({ lines, root, constants }: QuerySource): Complete {
  const text = [
    `const { ${Object.keys(TOOLS).join(', ')} } = tools;`,
    ...constants.map((_, index) => `const constant${String(index)} = constants[${String(index)}];`),
    ...lines,
    `return ${root};`,
  ].join('\n');
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- functions with constant property names can only be made from source
  const make = new Function('tools', 'constants', text) as (...parts: readonly unknown[]) => Complete;
  return make(TOOLS, constants);
}

function completeLeaf(type: GraphQLLeafType, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (value instanceof Error) throw value;
  const result = outputOf(type, value);
  if (result === null || result === undefined) throw new Unsupported();
  return result;
}

/**
 * The functions of `info` that graphql-js 17 adds. In a compiled query there is no signal, and nothing waits for the work that resolvers
 * register with `track`.
 */
const HELPERS = {
  getAbortSignal: () => undefined,
  getAsyncHelpers: () => ({
    promiseAll: <T>(values: readonly (PromiseLike<T> | T)[]) => Promise.all(values),
    track: () => undefined,
  }),
};

/** One run of a query. */
class QueryRun {
  #waiting = 0;
  #data: unknown;
  #end: ((result: CompiledResult) => void) | undefined;
  #failure: CompiledResult | undefined;
  #last: Outcome | undefined;
  readonly turns: Turns;

  constructor(
    private readonly query: Query,
    readonly context: unknown,
    readonly variables: Coerced,
  ) {
    this.turns = context instanceof Turns ? context : new Turns();
  }

  start(root: Complete): CompiledResult | Promise<CompiledResult> {
    try {
      this.#data = root(undefined, this);
    } catch (error) {
      // Values that are still pending no longer belong to this response.
      this.#fail(error);
    }
    if (this.#failure !== undefined) return this.#failure;
    if (this.#waiting === 0) return this.#result();
    return new Promise((resolve) => (this.#end = resolve));
  }

  /** @returns the name of the type of an object, or anything else where graphql-js fails */
  typeOf(plan: FieldPlan, type: GraphQLAbstractType, value: unknown, path: Path | undefined): unknown {
    const resolve = type.resolveType ?? defaultTypeResolver;
    return resolve(value, this.context, this.info(plan, fieldPath(path)), type);
  }

  isTypeOf(plan: FieldPlan, type: GraphQLObjectType, value: unknown, path: Path | undefined): unknown {
    return type.isTypeOf?.(value, this.context, this.info(plan, fieldPath(path)));
  }

  /** @param path - of the field */
  info({ parentType, field, nodes }: FieldPlan, path: Path | undefined): GraphQLResolveInfo {
    const { schema, operation, fragments } = this.query;
    return {
      fieldName: field.name,
      fieldNodes: nodes,
      returnType: field.type,
      parentType,
      path: path as Path,
      schema,
      fragments,
      rootValue: undefined,
      operation,
      variableValues: this.variables as object as GraphQLResolveInfo['variableValues'],
      ...HELPERS,
    };
  }

  /** Remembers what a resolver gave. @param path - of the object that has the field */
  note(value: unknown, plan: FieldPlan, path: Path | undefined): unknown {
    this.#last = { plan, path, value, before: this.#last };
    return value;
  }

  /** Waits for a pending value. @param complete - called with the settled value */
  wait(value: PromiseLike<unknown>, complete: (settled: unknown) => void): void {
    this.#waiting += 1;
    value.then(
      (settled) => {
        // Many values may become known at once.
        if (isTurnOver(this.turns)) {
          disown(settled);
          this.turns.later(() => this.#complete(settled, complete));
        } else this.#complete(settled, complete);
      },
      (error: unknown) => {
        this.#fail(error);
      },
    );
  }

  /** Completes an object when its type is known, unless the run has ended: its resolvers would be called again. */
  typed(object: unknown, type: PromiseLike<unknown>, complete: (type: unknown) => unknown): unknown {
    return type.then((known) => {
      if (!this.#isOver) return complete(known);
      disown(object);
      throw new Unsupported();
    });
  }

  /** Goes on in a later turn. */
  later(complete: () => void): void {
    this.#waiting += 1;
    this.turns.later(() => this.#complete(undefined, complete));
  }

  #complete(settled: unknown, complete: (settled: unknown) => void): void {
    if (this.#isOver) {
      disown(settled);
      return;
    }
    try {
      complete(settled);
    } catch (error) {
      this.#fail(error);
      return;
    }
    this.#waiting -= 1;
    if (this.#waiting === 0) this.#end?.(this.#result());
  }

  get #isOver(): boolean {
    return this.#failure !== undefined || this.turns.isStopped;
  }

  #result(): ExecutionResult {
    return { data: this.#data as Record<string, unknown> };
  }

  #fail(error: unknown): void {
    // When an operation ends, all that it waits for fails.
    if (this.#failure !== undefined) return;
    this.#failure = { ...failed(error), outcomes: () => outcomesUpTo(this.#last) };
    this.#end?.(this.#failure);
  }
}

/** @returns the path of the field of a value that may be in lists */
function fieldPath(path: Path | undefined): Path | undefined {
  let field = path;
  while (typeof field?.key === 'number') field = field.prev;
  return field;
}

/** The engine will interpret the query again, so the exact error does not matter here. */
function failed(cause: unknown): ExecutionResult {
  const message = cause instanceof Error ? cause.message : 'A resolver failed';
  return { errors: [new GraphQLError(message)] };
}
