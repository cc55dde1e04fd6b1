/** Makes GraphQL requests, writes them as HTTP, and determines whether a schema accepts one. */

import type { Json } from '@concordat/runtime';
import type { ConstraintChecks } from 'concordat/contract';
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  TypeInfo,
  getNamedType,
  isScalarType,
  isSpecifiedScalarType,
  parse,
  print,
  typeFromAST,
  validate,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { type Coerced, coercedVariables, inputFieldsWithin } from '@concordat/runtime/graphql';
import { isObject, parsedJson } from '@concordat/runtime/parts';
import type { WireRequest } from '../../../running/wire-request.js';
import { brokenConstraint } from '../../../values/graphql/broken-constraint.js';
import { Draft, type RootField } from '../../../values/graphql/operation-draft.js';
import { literalOf } from '../../../values/graphql/sample-values.js';
import type { Cause } from '../../run/server.js';

export const RESULT = 'application/graphql-response+json';
export const JSON_RESULT = 'application/json';

/** One request before it is sent. */
export interface OperationCase {
  /** `limit: a fraction`. */
  readonly about: string;
  readonly root: RootField;
  /** The operation, whose arguments are variables. */
  readonly document: DocumentNode;
  readonly variables: Readonly<Record<string, Json>>;
  /** Whether the values are written in the document instead of variables. */
  readonly isLiteral: boolean;
  readonly accept: string;
  /** The place in the variables under test, which keeps its value. */
  readonly kept?: readonly (string | number)[];
  /** Whether all variables keep their values. */
  readonly isExact?: true;
  /** Changes the written request. */
  readonly tamper?: (request: WireRequest) => WireRequest;
  /** Present for a subscription over WebSocket. */
  readonly conversation?: Conversation;
  /** Causes the events of a subscription. */
  readonly cause?: Cause;
}

/** A subscription over WebSocket. */
export interface Conversation {
  /** Changes the messages: `connection_init`, `ping` and `subscribe`. */
  readonly change?: (messages: readonly string[]) => readonly string[];
  /** Present if the protocol refuses it: the reason and the close code. */
  readonly refused?: { readonly refusal: string; readonly code: number };
}

type Extra = Partial<Omit<OperationCase, 'about' | 'root' | 'document' | 'variables' | 'cause'>>;

export class CaseMaker {
  #made = 0;

  constructor(private readonly schema: GraphQLSchema) {}

  /** The field of a root with its arguments and a selection. @returns undefined if an argument has no value */
  field(
    { field }: Pick<RootField, 'field'>,
    draft: Draft,
    depth: number,
    given?: Variables,
  ): string | undefined {
    const values = draft.arguments(field, false, given);
    if (values === undefined) return undefined;
    return `${field.name}${values}${draft.selection(getNamedType(field.type), depth)}`;
  }

  /**
   * Yields one case, or none if there is no selection.
   *
   * @param text - writes the selection of the root
   * @param after - writes the rest of the document after the operation
   */
  *make(
    about: string,
    root: RootField,
    text: (draft: Draft) => string | undefined,
    extra: Extra = {},
    after: (draft: Draft) => string = () => '',
  ): Generator<OperationCase> {
    const draft = new Draft(this.schema);
    const selection = text(draft);
    if (selection === undefined) return;
    const rest = after(draft);
    const written = `${root.kind} Verify${draft.definitions} { ${selection} } ${rest}`;
    const document = parse(written, { noLocation: true });
    this.#made += 1;
    const accept = [RESULT, `${RESULT}, ${JSON_RESULT};q=0.9`, JSON_RESULT][this.#made % 3] ?? RESULT;
    yield { about, root, document, variables: draft.variables, isLiteral: false, accept, ...extra };
  }
}

/** An operation that a schema accepts. */
export interface Reached {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** Coerced by the schema. */
  readonly variables: Coerced;
  /** Whether it may have values of custom scalars, which only the server can validate. */
  readonly isUndecided: boolean;
}

/** The outcome that a schema requires for a request. */
export type ExpectedOutcome =
  | Reached
  | {
      /** `Cannot query field "nothing" on type "Query".` */
      readonly refusal: string;
      /**
       * The rule that it breaks. GraphQL over HTTP has all but the schema's and its constraints, so that a 4xx status refuses it. What breaks
       * a constraint is executed, and its field is an error.
       */
      readonly breaks: 'media-type' | 'method' | 'parameters' | 'schema' | 'constraint';
    };

type Variables = Readonly<Record<string, Json>>;

/** The request of a case, with the given values. */
export function writtenOf(
  schema: GraphQLSchema,
  path: string,
  { document, isLiteral, accept, tamper }: OperationCase,
  variables: Variables,
  headers: Readonly<Record<string, string>>,
): WireRequest {
  const query = print(isLiteral ? withLiterals(schema, document, variables) : document);
  const hasVariables = !isLiteral && Object.keys(variables).length > 0;
  const request: WireRequest = {
    method: 'POST',
    path,
    query: '',
    headers: { accept, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query, ...(hasVariables && { variables }) }),
  };
  return tamper === undefined ? request : tamper(request);
}

/** The document with the values in place of the variables. An argument whose variable has no value is left out. */
function withLiterals(schema: GraphQLSchema, document: DocumentNode, variables: Variables): DocumentNode {
  // Undefined for a type that the schema does not have.
  const types = new Map<string, GraphQLInputType | undefined>();
  visit(document, {
    VariableDefinition: ({ variable, type }) =>
      void types.set(variable.name.value, typeFromAST(schema, type) as GraphQLInputType | undefined),
  });
  return visit(document, {
    VariableDefinition: () => null,
    Argument: (argument) => {
      if (argument.value.kind !== Kind.VARIABLE) return undefined;
      const name = argument.value.name.value;
      const [value, type] = [variables[name], types.get(name)];
      if (type === undefined) return undefined;
      return value === undefined ? null : { ...argument, value: literalOf(value, type) };
    },
  });
}

/** Decides like a server of the schema (GraphQL over HTTP, "Request", and GraphQL, "Validation" and "Execution"). */
export function expectedOutcomeOf(
  schema: GraphQLSchema,
  request: WireRequest,
  constraints: ConstraintChecks = {},
): ExpectedOutcome {
  const isRead = request.method === 'GET';
  const type = request.headers['content-type'] ?? '';
  if (!isRead && !/^application\/json\b/i.test(type))
    return { refusal: `the media type ${type}`, breaks: 'media-type' };
  const given = isRead ? parametersOfQuery(request.query) : parsedJson(request.body ?? '');
  const fault = parametersFault(given);
  if (fault !== undefined) return { refusal: fault, breaks: 'parameters' };
  const { query, variables, operationName } = given as Parameters;
  try {
    const document = parse(query, { noLocation: true });
    const [error] = validate(schema, document, undefined, { maxErrors: 1 });
    if (error !== undefined) return { refusal: error.message, breaks: 'schema' };
    const operations = document.definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION);
    const named = operations.filter(({ name }) => operationName == null || name?.value === operationName);
    const [operation] = named;
    if (operation === undefined)
      return { refusal: 'the operationName is that of no operation', breaks: 'schema' };
    if (named.length > 1) return { refusal: 'several operations without an operationName', breaks: 'schema' };
    if (isRead && operation.operation !== OperationTypeNode.QUERY)
      return { refusal: `a ${operation.operation} over GET`, breaks: 'method' };
    const coerced = coercedVariables(schema, operation.variableDefinitions ?? [], variables ?? {});
    if (coerced.variables === undefined)
      return { refusal: coerced.errors[0]?.message ?? 'the variables', breaks: 'schema' };
    const broken = brokenConstraint(schema, constraints, operation, coerced.variables, false);
    if (broken !== undefined) return { refusal: broken, breaks: 'constraint' };
    const isUndecided = hasOwnScalars(schema, document);
    return { document, operation, variables: coerced.variables, isUndecided };
  } catch (error) {
    if (error instanceof GraphQLError) return { refusal: error.message, breaks: 'schema' };
    throw error;
  }
}

interface Parameters {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>> | null;
  readonly operationName?: string | null;
}

function parametersOfQuery(query: string): unknown {
  const { variables, ...rest } = Object.fromEntries(new URLSearchParams(query));
  return variables === undefined ? rest : { ...rest, variables: parsedJson(variables) };
}

function parametersFault(given: unknown): string | undefined {
  if (!isObject(given)) return 'the body is not a JSON object';
  const { query, variables, operationName } = given;
  if (typeof query !== 'string' || query === '') return 'the query is no text';
  if (variables != null && !isObject(variables)) return 'the variables are not a JSON object';
  if (operationName != null && typeof operationName !== 'string') return 'the operationName is no text';
  return undefined;
}

function hasOwnScalars(schema: GraphQLSchema, document: DocumentNode): boolean {
  const info = new TypeInfo(schema);
  let isFound = false;
  const visitor = visitWithTypeInfo(info, {
    Argument() {
      const type = info.getInputType();
      isFound ||= type != null && isOrHasOwnScalar(type);
    },
  });
  visit(document, visitor);
  return isFound;
}

function isOrHasOwnScalar(given: GraphQLInputType): boolean {
  return [given, ...inputFieldsWithin(given).map(({ type }) => type)].some((each) => {
    const type = getNamedType(each);
    return isScalarType(type) && !isSpecifiedScalarType(type);
  });
}
