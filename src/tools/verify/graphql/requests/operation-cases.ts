/** The requests of one root field: valid ones, those at the edges of its arguments, and broken ones. */

import type { Json } from '@concordat/runtime';
import { type GraphQLField, type GraphQLSchema, getNamedType, isCompositeType } from 'graphql';
import { brokenCases, changed, endpointCases, tamperedCases } from './broken-cases.js';
import { CaseMaker, type OperationCase } from './case-maker.js';
import { brokenConversations } from './broken-cases.js';
import type { Draft } from '../../../values/graphql/operation-draft.js';
import { inputVariants } from '../../../values/graphql/sample-values.js';
import { type RootField, type Way, textOfWay, waysOf } from '../../../values/graphql/ways.js';

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
    this.#ways = waysOf(
      schema,
      roots.filter(({ kind }) => kind !== 'subscription'),
    );
  }

  /** The plainest and the fullest request. */
  *plain(root: RootField): Generator<OperationCase> {
    const named = getNamedType(root.field.type);
    yield* this.#maker.make('with the required parts', root, (draft) => this.#maker.field(root, draft, 1), {
      isLiteral: true,
    });
    yield* this.#maker.make(
      'with everything',
      root,
      (draft) => {
        const values = draft.arguments(root.field, true);
        if (values === undefined) return undefined;
        const alias = `${root.kind === 'mutation' ? 'done' : 'found'}: ${root.field.name}${values}`;
        return isCompositeType(named) ? `${alias} { ...Whole }` : alias;
      },
      {},
      (draft) =>
        isCompositeType(named) ? `fragment Whole on ${named.name}${draft.selection(named, 2)}` : '',
    );
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
      yield* this.#argumentEdges(
        root,
        field,
        (given, draft) => {
          const values = draft.arguments(field, false, given);
          const inner = `${field.name}${values ?? ''}${draft.selection(getNamedType(field.type), 0)}`;
          return values === undefined ? undefined : text(inner, draft);
        },
        `${name}.`,
      );
    }
  }

  *#argumentEdges(
    root: RootField,
    { name, args }: GraphQLField<unknown, unknown>,
    text: (given: Readonly<Record<string, Json>>, draft: Draft) => string | undefined,
    prefix = '',
  ): Generator<OperationCase> {
    for (const argument of args) {
      const place = prefix === '' ? argument.name : `${prefix}${name} ${argument.name}`;
      for (const { about, value, path } of inputVariants(argument.type, place)) {
        for (const isLiteral of [false, true]) {
          const kept = [argument.name, ...path];
          yield* this.#maker.make(about, root, (draft) => text({ [argument.name]: value }, draft), {
            kept,
            isLiteral,
          });
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
    yield* this.#maker.make(
      'as the named one of two operations',
      root,
      (draft) => this.#maker.field(root, draft, 0),
      {
        tamper: changed(({ query, ...rest }) => ({
          ...rest,
          query: `${query} query Other { __typename }`,
          operationName: 'Verify',
        })),
      },
    );
  }
}
