/** A run of a verification, with a document or a schema: what it sends and in which order, and which violations it records. */

import type { OperationChoice } from '@concordat/runtime/parts';
import { counted } from '@concordat/runtime/terminal';
import type { Progress } from '../../running/running-contract.js';
import type { WireRequest } from '../../running/wire-request.js';
import type { HarLog } from './har.js';
import { type Random, randomOf } from './known-values.js';
import { type Answer, type Budget, Server, isMocked } from './server.js';
import type { Finding, OperationReport, VerifyReport, Violation } from './verify-report.js';
import { type Secret, Violations } from './violations.js';

/** `only` and `except` choose the operations that get requests; of a schema, such as `operation:Query.users`. */
export interface RunOptions extends Budget, OperationChoice {
  /** The server's URL, to which the paths of requests are appended. */
  readonly url: string;
  /** A whole number. Runs with the same seed send the same requests, as long as the server answers the same. */
  readonly seed: number;
  /** Rules that only warn, everywhere or at one place: `valid-refused`, `valid-refused at listUsers`, `server-error at Query.users`. */
  readonly warn: readonly string[];
  /** What is only read, such as the account of the credentials: paths with everything below them, and ids that no mutation gets. */
  readonly protect: readonly string[];
  /** Called after each edge case. */
  readonly progress?: Progress | undefined;
  /** Records what is sent and answered. */
  readonly har?: HarLog | undefined;
  /** Ends the run at the first violation for which it is true. */
  readonly until?: (violation: Violation) => boolean;
}

/** The most requests sent to shrink one violation. */
const MOST_SMALLER = 40;

/** A request that was sent, and what its answer shows. */
export interface SentCase<Case> {
  readonly case: Case;
  readonly request: WireRequest;
  readonly answer: Answer;
  readonly finding?: Finding;
  /** Whether the contract takes the request, and the server did. */
  readonly isTaken: boolean;
  readonly isSuccess: boolean;
  /** Whether the answer says that there is no such resource. */
  readonly isGone: boolean;
}

/** The operations of one kind of resource. */
export interface Lifecycle<Operation, Outcome, Target> {
  readonly create: Operation;
  readonly read: Operation;
  readonly remove?: Operation | undefined;
  /** How other operations name the resource that a request created; undefined if its answer does not name one. */
  readonly createdBy: (created: Outcome) => ((operation: Operation) => Target) | undefined;
}

/** What is tested: by which operation, and the names of that place in `warn`. */
interface Site {
  readonly id: string;
  readonly name: string;
  readonly about: string;
  readonly places: readonly string[];
}

/**
 * A run with a protocol, whose parts are abstract. A target names the resource that a request is sent to: the values of its path, or
 * its ids.
 */
export abstract class Run<Operation, Case, Outcome extends SentCase<Case>, Target> {
  protected readonly server: Server;
  protected readonly random: Random;
  readonly #counts = new Map<string, { requests: number; successes: number }>();
  readonly #violations: Violations;
  /** The plain requests that did not succeed, by the status of the answer. */
  readonly #refused = new Map<number, { readonly outcome: Outcome; count: number }>();

  /** @param secrets - the texts that are not shown */
  protected constructor(
    private readonly options: RunOptions,
    secrets: readonly Secret[],
  ) {
    const { url, har } = options;
    const hidden = secrets.flatMap(({ text }) => [text, encodeURIComponent(text)]);
    this.server = new Server(url, options, har && ((exchange) => har.add(exchange, hidden)));
    this.random = randomOf(options.seed);
    this.#violations = new Violations({ ...options, secrets });
  }

  /** The ids of all operations, with their names for people: `listUsers` with `GET /users`. */
  protected abstract readonly names: ReadonlyMap<string, string>;
  /** The operations in the order of the plain requests, which create what the other requests name. An operation may come twice. */
  protected abstract readonly plainOrder: readonly Operation[];
  protected abstract readonly lifecycles: readonly Lifecycle<Operation, Outcome, Target>[];

  protected abstract siteOf(outcome: Outcome, finding?: Finding): Site;
  /** Sends a case. @returns undefined if nothing is sent */
  protected abstract exchange(given: Case, target?: Target): Promise<Outcome | undefined>;
  protected abstract plain(operation: Operation): Iterable<Case>;
  /** The request of a step in a lifecycle. */
  protected abstract step(operation: Operation, isCreation: boolean): Case | undefined;
  /** All other requests of each operation. Each is made when it is sent: an operation may have thousands, and few are sent. */
  protected abstract edges(): readonly (readonly (() => Case)[])[];
  /** The variants of a case with one part left out, the largest parts first. */
  protected abstract smaller(whole: Case): Iterable<Case>;
  /** The key of a violation: the same for plain requests, or else for the same thing under test. */
  protected abstract keyOf(outcome: Outcome, finding: Finding, isPlain: boolean): string;
  /** A request and its answer without varying values. Violations of one shape are recorded as one. */
  protected abstract shapeOf(outcome: Outcome, finding: Finding, key: string): string;
  /** Whether the contract takes both requests, or refuses both for the same reason. */
  protected abstract expectsTheSame(a: Outcome, b: Outcome): boolean;
  /** What the answer to a read shows: `is answered by 404`. */
  protected abstract shownBy(read: Outcome): string;
  /** Where the contract describes an operation, and with which tags. */
  protected describedAt?(id: string): Pick<OperationReport, 'place' | 'tags'>;
  /** Deletes what a request created, so that a similar request is not refused as a duplicate. */
  protected undo?(outcome: Outcome): Promise<void>;
  /** Verifies what else an answer leads to. */
  protected follow?(outcome: Outcome): Promise<void>;
  /** Verifies what only this protocol has, between the plain requests and the edge cases. */
  protected abstract special(): Promise<void>;

  /** Sends plain requests first, because the others are sent to the resources that these create. */
  async report(unverified: VerifyReport['unverified'] = []): Promise<VerifyReport> {
    try {
      for (const operation of this.plainOrder)
        for (const each of this.plain(operation)) await this.attempt(each, true);
      for (const lifecycle of this.lifecycles) await this.#live(lifecycle);
      await this.special();
      await this.#edges();
      this.#requireSuccess();
    } finally {
      this.server.close();
    }
    const { url, seed } = this.options;
    return {
      url,
      seed,
      requests: this.server.requests,
      isComplete: !this.server.isOver,
      operations: [...this.names].map(([id, name]) => {
        const { requests, successes } = this.#counts.get(id) ?? { requests: 0, successes: 0 };
        return { id, name, requests, successes, ...this.describedAt?.(id) };
      }),
      violations: this.#violations.all,
      unverified,
    };
  }

  /** Sends a case, and records the violation that its answer shows. */
  async attempt(given: Case, isPlain: boolean, target?: Target): Promise<Outcome | undefined> {
    const outcome = await this.send(given, target);
    if (outcome !== undefined) await this.see(outcome, isPlain);
    return outcome;
  }

  /** Sends a case. @returns undefined if nothing is sent, because the budget is spent or the protocol does not send it */
  async send(given: Case, target?: Target): Promise<Outcome | undefined> {
    const outcome = this.server.isOver ? undefined : await this.exchange(given, target);
    if (outcome === undefined) return undefined;
    const { id } = this.siteOf(outcome);
    const count = this.#counts.get(id) ?? { requests: 0, successes: 0 };
    this.#counts.set(id, count);
    count.requests += 1;
    if (outcome.isTaken) count.successes += 1;
    return outcome;
  }

  /** Records the violation that an answer shows, with the smallest request for it. */
  async see(outcome: Outcome, isPlain: boolean): Promise<void> {
    const { finding, answer } = outcome;
    if (isPlain && !outcome.isTaken && 'status' in answer) {
      const refused = this.#refused.get(answer.status) ?? { outcome, count: 0 };
      refused.count += 1;
      this.#refused.set(answer.status, refused);
    }
    if (finding !== undefined) {
      const key = this.keyOf(outcome, finding, isPlain);
      if (!this.#violations.count(key, this.keyOf(outcome, finding, true)))
        await this.#shrink(key, outcome, finding, isPlain);
    }
    await this.follow?.(outcome);
  }

  /** @param before - what was sent before, and led to it */
  add(key: string, finding: Finding, outcome: Outcome, before: readonly Outcome[] = []): void {
    if (this.#violations.count(key)) return;
    const { name, about, places } = this.siteOf(outcome, finding);
    const violation = this.#violations.add(key, finding, { operation: name, about, places }, outcome, before);
    if (this.options.until?.(violation) === true) this.server.end();
  }

  /** Reports a contract without a single success, because such a run shows nothing about the server. */
  #requireSuccess(): void {
    const isAny = [...this.names.keys()].some((id) => (this.#counts.get(id)?.successes ?? 0) > 0);
    const [most] = [...this.#refused].toSorted(([, a], [, b]) => b.count - a.count);
    if (isAny || most === undefined) return;
    const [status, { outcome, count }] = most;
    const cause = causeOf(status, outcome.answer, this.server.url);
    const requests = counted(count, 'valid request was', 'valid requests were');
    const message = `no operation of the contract succeeded; ${requests} answered by ${status}${cause}`;
    this.add('no-success', { rule: 'no-success', message }, outcome);
  }

  /** Leaves out one part of a request after another as long as it shows the same violation. */
  async #shrink(key: string, outcome: Outcome, finding: Finding, isPlain: boolean): Promise<void> {
    await this.undo?.(outcome);
    let [smallest, left] = [outcome, MOST_SMALLER];
    let candidates = this.smaller(smallest.case)[Symbol.iterator]();
    while (left > 0) {
      const next = candidates.next();
      if (next.done === true) break;
      left -= 1;
      const again = await this.send(next.value);
      if (again === undefined) continue;
      await this.undo?.(again);
      const isSame = again.finding !== undefined && this.keyOf(again, again.finding, isPlain) === key;
      if (!isSame || !this.expectsTheSame(again, outcome)) continue;
      smallest = again;
      candidates = this.smaller(next.value)[Symbol.iterator]();
    }
    const shape = this.shapeOf(smallest, finding, key);
    this.add(shape, smallest.finding ?? finding, smallest);
    this.#violations.alias(key, shape);
  }

  /** Creates a resource, reads it, deletes it, and reads it again. */
  async #live({ create, read, remove, createdBy }: Lifecycle<Operation, Outcome, Target>): Promise<void> {
    const first = this.step(create, true);
    const created = first && (await this.attempt(first, true));
    const targetOf = created?.isSuccess === true ? createdBy(created) : undefined;
    if (created === undefined || targetOf === undefined) return;
    const next = async (operation: Operation): Promise<Outcome | undefined> => {
      const step = this.step(operation, false);
      return step && this.attempt(step, true, targetOf(operation));
    };
    const found = await next(read);
    if (found === undefined || isMocked(created.answer) || isMocked(found.answer)) return;
    if (found.isGone) {
      const message = `it was created, and ${this.shownBy(found)}`;
      this.add(`lost ${this.siteOf(found).id}`, { rule: 'lost', message }, found, [created]);
    }
    if (remove === undefined || found.isGone || !found.isSuccess) return;
    const removed = await next(remove);
    const again = removed?.isSuccess === true ? await next(read) : undefined;
    if (removed === undefined || again === undefined) return;
    if (again.isSuccess && !again.isGone) {
      const message = `it was deleted, and ${this.shownBy(again)}`;
      const key = `not-deleted ${this.siteOf(again).id}`;
      this.add(key, { rule: 'not-deleted', message }, again, [created, removed]);
    } else {
      // Another deletion must be answered as the contract says.
      await next(remove);
    }
  }

  /** Sends one request per operation in turn, so that the budget is spent on all operations. */
  async #edges(): Promise<void> {
    const queues = this.edges();
    const total = queues.reduce((sum, { length }) => sum + length, 0);
    let done = 0;
    for (let turn = 0; queues.some(({ length }) => turn < length); turn += 1) {
      for (const queue of queues) {
        const make = queue[turn];
        if (make === undefined) continue;
        if (this.server.isOver) return;
        await this.attempt(make(), false);
        this.options.progress?.((done += 1), total);
      }
    }
  }
}

/** The likely cause of a contract without a success. */
function causeOf(status: number, answer: Answer, url: string): string {
  const text = 'text' in answer ? answer.text : '';
  if ([401, 403].includes(status) || /unauthenticated|unauthorized|forbidden/i.test(text))
    return ': the credential is probably missing, wrong or not allowed to do this';
  if (status !== 404 && status !== 405) return '';
  return `: the server probably has the paths of the contract at another address than ${url}`;
}
