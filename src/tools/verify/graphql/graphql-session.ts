/** Sends the GraphQL requests of a run to a server, and remembers the ids in its answers. */

import type { Json } from '@concordat/runtime';
import type { GraphQLSchema } from 'graphql';
import type { WireRequest } from '../../running/wire-request.js';
import type { Random } from '../run/random.js';
import type { Answer } from '../run/server.js';
import type { Server } from '../run/server.js';
import { freshVariables } from './fresh-variables.js';
import { type Reach, reachOf, writtenOf } from './requests/graphql-request.js';
import { judgeConversation } from './answers/conversation-verdict.js';
import { type Judgement, judge } from './answers/graphql-verdict.js';
import { KnownIds } from './known-ids.js';
import type { OperationCase } from './requests/case-maker.js';
import { conversationOf } from './requests/conversations.js';

export interface GraphqlSessionOptions {
  readonly server: Server;
  readonly schema: GraphQLSchema;
  /** The path of the GraphQL endpoint: `/graphql`. */
  readonly path: string;
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
  readonly random: Random;
  /** Ids that no mutation gets. */
  readonly protect: readonly string[];
}

/** A request that was sent, with its answer. */
interface Exchange extends Judgement {
  readonly reach: Reach;
  readonly request: WireRequest;
  readonly answer: Answer;
}

/** A case that was sent. */
export interface Outcome extends Exchange {
  readonly case: OperationCase;
  readonly variables: Readonly<Record<string, Json>>;
}

export const REMOVES = /^(?:delete|remove|destroy|drop|erase|cancel)|(?:Delete|Remove|Destroy)$/;

export class GraphqlSession {
  readonly known: KnownIds;
  /** The numbers of requests and of successes, by the root field's coordinate. */
  readonly counts = new Map<string, { requests: number; successes: number }>();

  readonly random: Random;

  constructor(private readonly options: GraphqlSessionOptions) {
    this.random = options.random;
    this.known = new KnownIds(options.schema, this.random);
  }

  /**
   * Sends the request of a case with texts that are new to the server and ids from its answers.
   *
   * @param ids - the ids of a certain resource, by variable name
   * @returns undefined if the budget is spent, a protected resource would be changed, or the server has no WebSocket for it
   */
  async send(given: OperationCase, ids: Readonly<Record<string, Json>> = {}): Promise<Outcome | undefined> {
    const { server, schema, protect } = this.options;
    const { root, document, kept } = given;
    if (server.isOver) return undefined;
    const isChange = root.kind === 'mutation';
    const newest = isChange && REMOVES.test(root.field.name);
    const forbidden = isChange ? protect : [];
    const { known } = this;
    const fresh = freshVariables(schema, document, given.variables, {
      known,
      random: this.random,
      newest,
      forbidden,
      kept,
    });
    const variables = { ...fresh, ...ids };
    if (isChange && valuesOf(variables).some((value) => protect.includes(String(value)))) return undefined;
    const exchange = await this.#exchange(given, variables);
    if (exchange === undefined) return undefined;
    for (const id of exchange.ids) known.add(id);
    const count = this.counts.get(root.id) ?? { requests: 0, successes: 0 };
    this.counts.set(root.id, count);
    count.requests += 1;
    const outcome = { ...exchange, case: given, variables };
    if (isSuccess(outcome)) count.successes += 1;
    if (isSuccess(outcome) && newest) {
      for (const value of valuesOf(variables)) known.forget(value);
    }
    return outcome;
  }

  async #exchange(given: OperationCase, variables: Outcome['variables']): Promise<Exchange | undefined> {
    const { server, schema, path, headers } = this.options;
    const { conversation, cause } = given;
    const written = writtenOf(schema, path, given, variables, headers);
    const reach = reachOf(schema, written);
    if (conversation === undefined) {
      const answer = await server.send(written, cause);
      return { request: written, reach, answer, ...judge(schema, written, reach, answer) };
    }
    const request = conversationOf(written, headers, conversation);
    const answer = await server.converse(request, cause);
    return answer && { request, reach, answer, ...judgeConversation(schema, conversation, reach, answer) };
  }
}

/** Whether a valid operation was executed without an error. */
export function isSuccess({ reach, response }: Outcome): boolean {
  return !('refusal' in reach) && response?.data != null && response.errors === undefined;
}

/** The texts and numbers in a value. */
function valuesOf(value: Json): readonly (string | number)[] {
  if (typeof value === 'string' || typeof value === 'number') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value as Readonly<Record<string, Json>>).flatMap(valuesOf);
}
