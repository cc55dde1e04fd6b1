/** Decides which exchanges are observed, and counts what their checks find. */

import type { OperationContract, ResponseChecks, RestContract } from '../contract/contract.js';
import type { HttpResponse, RequestHeaders } from '../http/message.js';
import { belowSpelling, compileSpellings } from '../http/other-spellings.js';
import { compilePathChoice, targetOf } from '../http/path-choice.js';
import { Problem, type ProblemFormat, problemDetails } from '../http/problem.js';
import { type PathMatch, compilePaths } from '../rest/operation/path-matcher.js';
import { compileProblemWriter } from '../rest/recovery.js';
import { type Deviation, type Finding, type FindingContext, DeviationTable } from './deviations.js';
import { type Findings, type OpenExchange, type Watched, checkExchange } from './exchange-check.js';
import { ExchangeReader } from './exchange-reader.js';
import { isSecretSegment } from './harmless.js';
import { type ObserveMode, type Sent, ObservedOperation } from './observed-operation.js';
import { type UsageOptions, UsageTable } from './usage.js';

export interface ObserveOptions<Id extends string = string> {
  /** The `contract` of the generated `routing.ts`. */
  readonly contract: Pick<RestContract<Id>, 'operations' | 'paths'> &
    Partial<Pick<RestContract, 'securitySchemes'>>;
  /** The exports of the generated `response-validators.js`. */
  readonly responseChecks: ResponseChecks;
  /** The mode of operations without one of their own; `report` when not given. With `off`, routes that the contract does not have are not reported. */
  readonly mode?: ObserveMode;
  /** By operationId. */
  readonly modes?: Readonly<Partial<Record<Id, ObserveMode>>>;
  /** The share of exchanges that are observed, from 0 to 1; 1 when not given. Requests of `enforce` are all checked. */
  readonly rate?: number;
  /** The path in front of the paths of the contract, such as `/v1`. */
  readonly prefix?: string;
  /** The maximum size in bytes of a body that is checked; 64 KiB when not given. Of streams, the beginning is. */
  readonly bodyLimit?: number;
  /** Counts which parts of the contract the exchanges use; off when not given. */
  readonly usage?: UsageOptions;
  /** The format of rejections; problem details (RFC 9457) when not given. */
  readonly problems?: ProblemFormat;
  /** Called with each occurrence of a deviation, for metrics; its `count` is 1 at the first one. */
  readonly onDeviation?: (deviation: Deviation) => void;
  /** Called with errors of the observer itself, which no client sees; they go to the console unless given. */
  readonly report?: (error: unknown) => void;
}

/** Numbers since the start. */
export interface ObserveCounters {
  /** Exchanges that were compared with the contract. */
  readonly checked: number;
  /** Bodies that could not be compared: too large, broken off, in an unknown coding, or never read. */
  readonly unread: number;
  /** Exchanges that were chosen, but not compared: broken off, or too many at one time. */
  readonly skipped: number;
  /** Requests that were rejected. */
  readonly rejected: number;
  /** Requests whose path or method the contract does not have, with any answer. */
  readonly undeclared: number;
  /** Occurrences of deviations. */
  readonly deviations: number;
  /** Deviations that the list has lost: the rarest and oldest make room for new ones when it has 2,000. */
  readonly dropped: number;
}

/** The maximum number of failures that a rejection lists. */
const MOST_FAILURES = 20;

export class Observation extends ExchangeReader implements Findings {
  override readonly counters = {
    ...{ checked: 0, unread: 0, skipped: 0, rejected: 0 },
    ...{ undeclared: 0, deviations: 0, dropped: 0 },
  };
  readonly table = new DeviationTable();
  /** The requests whose path or method the contract does not have. */
  readonly undeclared = new DeviationTable();
  readonly isOff: boolean;
  readonly usage: UsageTable | undefined;
  readonly within: (path: string, method: string) => string | undefined;
  readonly #find;
  /** A lax router behind would take `/Users/` for `/users`: such a request has the checks of the operation that it may reach. */
  readonly #findSpelling: (whole: string) => PathMatch<ObservedOperation> | undefined;
  readonly #enforces: boolean;
  readonly #rate: number;
  readonly #writeProblem;
  readonly #onDeviation: (deviation: Deviation) => void;

  /** @throws for a mode of an operation that the contract does not have, a rate that is not from 0 to 1, and a header with secrets */
  constructor({ contract, responseChecks, ...options }: ObserveOptions) {
    const { mode = 'report', modes = {}, rate = 1, bodyLimit = 64 * 1024, prefix = '' } = options;
    super(bodyLimit, options.report ?? console.error);
    const unknown = Object.keys(modes).filter((id) => !Object.hasOwn(contract.operations, id));
    if (unknown.length > 0) throw new Error(`modes has no operations of the contract: ${unknown.join(', ')}`);
    if (!(rate >= 0 && rate <= 1)) throw new Error(`rate must be from 0 to 1, not ${String(rate)}`);
    const operations = new Map(
      Object.entries<OperationContract>(contract.operations).map(([id, operation]) => [
        id,
        new ObservedOperation(
          id,
          operation,
          (Object.hasOwn(modes, id) ? modes[id] : undefined) ?? mode,
          responseChecks,
          contract.securitySchemes,
        ),
      ]),
    );
    this.#enforces = [...operations.values()].some((each) => each.mode === 'enforce');
    this.#find = compilePaths(contract.paths, (id) => operations.get(id));
    const spell = compileSpellings(contract.paths, (id) => operations.get(id)?.enforcedPath);
    this.#findSpelling = (whole) => {
      const below = this.#enforces ? belowSpelling(prefix, whole) : undefined;
      const meant = below === undefined ? undefined : spell(below);
      return meant === undefined ? undefined : this.#find(meant);
    };
    this.within = compilePathChoice({}, { prefix });
    this.#rate = rate;
    this.isOff = mode === 'off';
    this.usage = options.usage && new UsageTable(options.usage, rate);
    this.#writeProblem = compileProblemWriter(options.problems ?? problemDetails, {});
    this.#onDeviation = options.onDeviation ?? (() => undefined);
  }

  /**
   * @param isWhole - whether requests outside the prefix are observed too, which a host may serve from elsewhere
   * @returns undefined for a request that is not observed
   */
  begin(method: string, target: string, headers: RequestHeaders, isWhole = false): Watched | undefined {
    const isSampled = Math.random() < this.#rate;
    if (!isSampled && !this.#enforces) return undefined;
    // RFC 9112 §3.2.2: a server takes whole addresses too.
    const url = target.startsWith('/') ? target : target.replace(/^[a-z]+:\/\/[^/?]*/i, '');
    const mark = url.indexOf('?');
    const whole = mark === -1 ? url : url.slice(0, mark);
    const path = this.within(whole, method);
    if (path === undefined && !isWhole) return undefined;
    const found = (path === undefined ? undefined : this.#find(path)) ?? this.#findSpelling(whole);
    const operation = found && targetOf(found.targets, method);
    if (operation?.mode === 'off') return undefined;
    if (!isSampled && operation?.mode !== 'enforce') return undefined;
    const query = mark === -1 ? '' : url.slice(mark + 1);
    const name = operation?.id ?? `${method} ${shownPath(path ?? whole)}`;
    const request = { method, path: path ?? whole, query, headers, values: found?.values ?? [] };
    return { ...request, name, operation, isSampled, isOutside: path === undefined && found === undefined };
  }

  protected override read(exchange: OpenExchange, sent: Sent): Promise<void> | undefined {
    const consumed = exchange.consume?.();
    const check = (): Promise<void> | undefined => checkExchange(exchange, sent, this);
    return consumed === undefined ? check() : consumed.then(check);
  }

  /** The response to a request that does not fit; undefined for one that does. @param body - undefined for none */
  async rejection(
    watched: Watched,
    body: Uint8Array | 'unread' | undefined,
  ): Promise<HttpResponse | undefined> {
    try {
      const { operation } = watched;
      if (operation === undefined) return undefined;
      const isKnown = body instanceof Uint8Array;
      const usage = watched.isSampled ? this.usage : undefined;
      const { findings } = isKnown
        ? await operation.readWhole(watched, body, usage)
        : operation.readHead(watched, body === 'unread', usage);
      const [first] = findings;
      if (first === undefined) return undefined;
      this.counters.rejected += 1;
      const { accept } = watched.headers;
      const status = STATUSES[first.kind] ?? 400;
      const failures = status === 400 ? findings.slice(0, MOST_FAILURES) : [];
      const problem = new Problem(
        status,
        first.detail,
        {},
        failures.map(({ place: pointer, kind: keyword, detail }) => ({ pointer, keyword, detail })),
      );
      return this.#writeProblem(problem, accept === undefined ? undefined : String(accept));
    } catch (error) {
      // The host's own checks remain.
      this.report(error);
      return undefined;
    }
  }

  note(findings: readonly Finding[], context: FindingContext): void {
    for (const finding of findings) {
      const deviation = this.table.add(finding, context);
      this.counters.deviations += 1;
      this.counters.dropped = this.table.dropped;
      try {
        this.#onDeviation(deviation);
      } catch (error) {
        this.report(error);
      }
    }
  }

  noteUndeclared(finding: Finding, context: FindingContext): void {
    this.undeclared.add(finding, context);
    this.counters.undeclared += 1;
  }

  noteUnread(): void {
    this.counters.unread += 1;
  }
}

const STATUSES: Readonly<Record<string, number>> = { 'undeclared-media-type': 415, 'oversized-body': 413 };

/** A path with `{}` for each segment that may be a value. */
function shownPath(path: string): string {
  const segments = path.split('/');
  return segments
    .map((segment, index) => {
      const isName = /^(?:v\d+|[a-z][a-z_.-]{0,30})?$/i.test(segment);
      return isName && !isSecretSegment(segments[index - 1], segment) ? segment : '{}';
    })
    .join('/');
}
