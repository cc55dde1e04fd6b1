/** Makes the requests of a run: operations with variables for their arguments, and the way to send them. */

import type { Json } from '@concordat/runtime';
import { type DocumentNode, type GraphQLSchema, getNamedType, parse } from 'graphql';
import type { WireRequest } from '../../../running/wire-request.js';
import type { Cause } from '../../run/server.js';
import { Draft, type RootField } from '../../../values/graphql/operation-draft.js';

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

type Extra = Partial<Pick<OperationCase, 'kept' | 'tamper' | 'isLiteral' | 'accept' | 'conversation'>>;

export class CaseMaker {
  #made = 0;

  constructor(private readonly schema: GraphQLSchema) {}

  /** The field of a root with its arguments and a selection. @returns undefined if an argument has no value */
  field(
    { field }: RootField,
    draft: Draft,
    depth: number,
    given?: Readonly<Record<string, Json>>,
  ): string | undefined {
    const values = draft.arguments(field, false, given);
    return values === undefined
      ? undefined
      : `${field.name}${values}${draft.selection(getNamedType(field.type), depth)}`;
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
    const document = parse(`${root.kind} Verify${draft.definitions} { ${selection} } ${rest}`, {
      noLocation: true,
    });
    this.#made += 1;
    const accept = [RESULT, `${RESULT}, ${JSON_RESULT};q=0.9`, JSON_RESULT][this.#made % 3] ?? RESULT;
    yield { about, root, document, variables: draft.variables, isLiteral: false, accept, ...extra };
  }
}
