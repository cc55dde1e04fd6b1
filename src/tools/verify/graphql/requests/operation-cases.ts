/** The requests of one root field: valid ones, those at the edges of its arguments, broken ones, and smaller variants of a request. */

import type { Json } from '@concordat/runtime';
import {
  type ASTNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
  getNamedType,
  isCompositeType,
  visit,
} from 'graphql';
import { smallerValues } from '../../run/known-values.js';
import { brokenCases, changed, endpointCases, tamperedCases, brokenConversations } from './broken-cases.js';
import { CaseMaker, type OperationCase } from './graphql-request.js';
import type { Draft, Field, RootField, Way } from '../../../values/graphql/operation-draft.js';
import { textOfWay, waysOf } from '../../../values/graphql/operation-draft.js';
import { inputVariants } from '../../../values/graphql/sample-values.js';

/** Makes the cases of a schema. */
export class OperationCases {
  readonly #maker: CaseMaker;
  readonly #ways: ReadonlyMap<string, Way>;

  constructor(
    private readonly schema: GraphQLSchema,
    roots: readonly RootField[],
  ) {
    this.#maker = new CaseMaker(schema);
    // A subscription may send nothing, so fields below it are tried through queries and mutations.
    const answered = roots.filter(({ kind }) => kind !== 'subscription');
    this.#ways = waysOf(schema, answered);
  }

  /** The plainest and the fullest request. */
  *plain(root: RootField): Generator<OperationCase> {
    const named = getNamedType(root.field.type);
    const plain = (draft: Draft): string | undefined => this.#maker.field(root, draft, 1);
    yield* this.#maker.make('with the required parts', root, plain, { isLiteral: true });
    const full = (draft: Draft): string | undefined => {
      const values = draft.arguments(root.field, true);
      if (values === undefined) return undefined;
      const alias = `${root.kind === 'mutation' ? 'done' : 'found'}: ${root.field.name}${values}`;
      return isCompositeType(named) ? `${alias} { ...Whole }` : alias;
    };
    const fragment = (draft: Draft): string =>
      isCompositeType(named) ? `fragment Whole on ${named.name}${draft.selection(named, 2)}` : '';
    yield* this.#maker.make('with everything', root, full, {}, fragment);
  }

  /** A request with certain arguments. */
  exact(root: RootField, given: OperationCase['variables'], about: string): Iterable<OperationCase> {
    const text = (draft: Draft): string | undefined => this.#maker.field(root, draft, 2, given);
    return this.#maker.make(about, root, text, { isExact: true });
  }

  /** All other requests. */
  *edges(root: RootField): Generator<OperationCase> {
    yield* this.#argumentEdges(root, root.field, (given, draft) => this.#maker.field(root, draft, 0, given));
    for (const [name, way] of this.#ways) {
      const [first] = way.steps;
      if (first !== undefined && 'field' in first && first.field === root.field)
        yield* this.#below(name, way, root);
    }
    yield* this.#conditions(root);
    yield* brokenCases(this.#maker, root);
    yield* tamperedCases(this.#maker, root);
  }

  /** HTTP requests that are not GraphQL requests. */
  ofEndpoint(root: RootField): Iterable<OperationCase> {
    return endpointCases(this.#maker, root);
  }

  /** Subscriptions over WebSocket that are refused. */
  brokenConversations(root: RootField): Iterable<OperationCase> {
    return brokenConversations(this.#maker, root);
  }

  /** Requests for every field of a type below a root field, and for the edges of these fields' arguments. */
  *#below(name: string, way: Way, root: RootField): Generator<OperationCase> {
    const type = this.schema.getType(name);
    if (!isCompositeType(type)) return;
    const text = (inner: string, draft: Draft): string | undefined => textOfWay(way, inner, draft);
    if (way.steps.length > 1)
      yield* this.#maker.make(`every field of ${name}`, root, (draft) => text(draft.fields(type, 1), draft));
    for (const field of Object.values('getFields' in type ? type.getFields() : {})) {
      const written = (given: Readonly<Record<string, Json>>, draft: Draft): string | undefined => {
        const inner = this.#maker.field({ field }, draft, 0, given);
        return inner === undefined ? undefined : text(inner, draft);
      };
      yield* this.#argumentEdges(root, field, written, `${name}.`);
    }
  }

  *#argumentEdges(
    root: RootField,
    { name, args }: Field,
    text: (given: Readonly<Record<string, Json>>, draft: Draft) => string | undefined,
    prefix = '',
  ): Generator<OperationCase> {
    for (const argument of args) {
      const place = prefix === '' ? argument.name : `${prefix}${name} ${argument.name}`;
      for (const { about, value, path } of inputVariants(argument, place)) {
        for (const isLiteral of [false, true]) {
          const manner = { kept: [argument.name, ...path], isLiteral };
          yield* this.#maker.make(about, root, (draft) => text({ [argument.name]: value }, draft), manner);
        }
      }
    }
  }

  /** Directives and several aliases of one field. */
  *#conditions(root: RootField): Generator<OperationCase> {
    yield* this.#maker.make('under @skip and @include', root, (draft) => {
      const [first, second] = [this.#maker.field(root, draft, 0), this.#maker.field(root, draft, 0)];
      if (first === undefined || second === undefined) return undefined;
      const yes = draft.variable('yes', 'Boolean!', true);
      const under = (text: string, directive: string): string => text.replace(/( \{|$)/, ` ${directive}$1`);
      return `__typename first: ${under(first, `@include(if: ${yes})`)} second: ${under(second, `@skip(if: ${yes})`)}`;
    });
    const tamper = changed(({ query, ...rest }) => {
      return { ...rest, query: `${query} query Other { __typename }`, operationName: 'Verify' };
    });
    const text = (draft: Draft): string | undefined => this.#maker.field(root, draft, 0);
    yield* this.#maker.make('as the named one of two operations', root, text, { tamper });
  }
}

/** The variants of a request with one part left out, the largest parts first. */
export function* smallerOperations(whole: OperationCase): Generator<OperationCase> {
  if (!whole.isLiteral && whole.tamper === undefined) yield { ...whole, isLiteral: true };
  for (const document of smallerDocuments(whole.document))
    if (document !== whole.document) yield cleaned({ ...whole, document });
  const [name] = whole.kept ?? [];
  const value = whole.variables[String(name)];
  if (value === undefined) return;
  for (const smaller of smallerValues(value))
    yield { ...whole, variables: { ...whole.variables, [String(name)]: smaller } };
}

function* smallerDocuments(document: DocumentNode): Generator<DocumentNode> {
  yield withoutSpreads(document);
  const sets: SelectionSetNode[] = [];
  const others: ASTNode[] = [];
  visit(document, {
    SelectionSet: (node) => void sets.push(node),
    Argument: (node) => void others.push(node),
    Directive: (node) => void others.push(node),
    Field: ({ alias }) => {
      if (alias !== undefined) others.push(alias);
    },
  });
  for (const set of sets) {
    const { selections } = set;
    const { length } = selections;
    const half = Math.ceil(length / 2);
    const parts = length > 3 ? [selections.slice(0, half), selections.slice(half)] : [];
    const each = length > 1 ? selections.map((_, index) => selections.toSpliced(index, 1)) : [];
    for (const kept of [...parts, ...each]) yield replaced(document, set, { ...set, selections: kept });
  }
  for (const node of others) yield replaced(document, node, null);
}

/** The document with fragment spreads replaced by their selections. */
function withoutSpreads(document: DocumentNode): DocumentNode {
  const fragments = new Map<string, SelectionSetNode>();
  visit(document, {
    FragmentDefinition: ({ name, selectionSet }) => void fragments.set(name.value, selectionSet),
  });
  const isPlain = (node: SelectionNode): boolean =>
    node.kind !== Kind.FRAGMENT_SPREAD || !fragments.has(node.name.value);
  return visit(document, {
    SelectionSet: (set) => {
      if (set.selections.every(isPlain)) return undefined;
      const selections = set.selections.flatMap((node) =>
        node.kind === Kind.FRAGMENT_SPREAD ? (fragments.get(node.name.value)?.selections ?? [node]) : [node],
      );
      return { ...set, selections };
    },
  });
}

function replaced(document: DocumentNode, part: ASTNode, by: ASTNode | null): DocumentNode {
  return visit(document, { enter: (node) => (node === part ? by : undefined) });
}

/** The case without unused fragments and variables. */
function cleaned(given: OperationCase): OperationCase {
  const [spread, used] = [new Set<string>(), new Set<string>()];
  visit(given.document, {
    VariableDefinition: () => false,
    Variable: ({ name }) => void used.add(name.value),
    FragmentSpread: ({ name }) => void spread.add(name.value),
  });
  const isSpread = ({ name }: FragmentDefinitionNode): boolean => spread.has(name.value);
  const document: DocumentNode = visit(given.document, {
    FragmentDefinition: (node) => (isSpread(node) ? undefined : null),
    VariableDefinition: ({ variable }) => (used.has(variable.name.value) ? undefined : null),
  });
  const isWhole = document.definitions.some(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  const variables = Object.fromEntries(Object.entries(given.variables).filter(([name]) => used.has(name)));
  return isWhole ? { ...given, document, variables } : given;
}
