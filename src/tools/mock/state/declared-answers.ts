/** Writes the answers of a sandbox as their contract declares them. */

import { type Answer, type Json, Problem, findByStatus, problemDetails } from '@concordat/runtime';
import { once } from '@concordat/runtime/parts';
import { byStatus } from 'concordat/contract';
import type { Entity } from '../../running/resources.js';
import type { RunningContract } from '../../running/running-contract.js';
import { isWritable, mediaTypeWithin } from '../../running/wire-request.js';
import type { Collection } from './collection.js';
import { statusOf, successOf } from './fitted.js';
import type { Candidate } from './lists.js';
import { MARK, notFound } from './record-values.js';
import { MISSING, type Role } from './role.js';

/** The answers that the contract shows, which a mock without state gives. */
export interface Examples {
  readonly answer: (operationId: string, wish: object) => Answer | undefined;
  readonly refusal: (id: string, status: number, problem: Entity, mediaType?: string) => Answer | undefined;
}

/** The part of a call that its answer depends on. */
interface Answered {
  readonly role: Pick<Role, 'operation'>;
  readonly mediaType?: string | undefined;
}

export class DeclaredAnswers {
  constructor(
    private readonly running: RunningContract,
    private readonly examples: Examples,
  ) {}

  /** The first of some answers that the contract declares. */
  answer(call: Answered, candidates: Iterable<Candidate>, given?: number): Answer | undefined {
    const { id, responses } = call.role.operation;
    const declared = once(responses, byStatus);
    const found = given === undefined ? successOf(call.role.operation) : findByStatus(declared, given);
    if (found === undefined) return undefined;
    const status = given ?? statusOf(call.role.operation, found);
    const media =
      found.content.find(({ mediaType }) => mediaType === call.mediaType) ??
      found.content.find(({ kind }) => kind === 'json') ??
      found.content[0];
    for (const { body, header } of candidates) {
      if (media !== undefined && body === undefined) return undefined;
      if (media !== undefined && !isWritable(media, body as Json)) continue;
      const headers: Record<string, Json> = {};
      for (const { name, required } of found.headers) {
        const example = required ? this.examples.answer(id, {})?.headers?.[name] : undefined;
        const value = header(name) ?? (example as Json | undefined);
        if (value !== undefined) headers[name] = value;
      }
      const content = media && { contentType: mediaTypeWithin(media.mediaType), body: body as Json };
      const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
      if (this.running.declares(id, { status, headers: Object.fromEntries(lower), ...content }))
        return { status, headers, ...content };
    }
    return undefined;
  }

  declares({ role }: Answered, status: number): boolean {
    return findByStatus(once(role.operation.responses, byStatus), status) !== undefined;
  }

  /** @throws Problem with 404 where the operation declares no answer for a missing record: another record would be worse */
  missing(call: Answered, collection: Collection): Answer {
    const detail = notFound(collection);
    const declared = this.refusal(call, MISSING, detail);
    if (declared === undefined) throw new Problem(404, detail, { [MARK]: 'state' });
    return declared;
  }

  /** The refusal with the first of some statuses that the operation declares. */
  refusal(call: Answered, statuses: readonly number[], detail: string): Answer | undefined {
    const status = statuses.find((each) => this.declares(call, each));
    if (status === undefined) return undefined;
    const problem = problemDetails.body(new Problem(status, detail)) as Entity;
    return this.examples.refusal(call.role.operation.id, status, problem, call.mediaType);
  }
}
