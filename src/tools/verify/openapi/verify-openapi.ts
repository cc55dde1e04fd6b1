/** Verifies a running server against its OpenAPI contract. */

import type { LoadOptions, OperationModel } from 'concordat/contract';
import { type Progress, type RunningContract, runContract } from '../../running/running-contract.js';
import { Credentials } from './credentials.js';
import { runLifecycle } from '../run/lifecycle.js';
import { readBack } from './read-back.js';
import { ListChecks } from './lists.js';
import { lifecycleSteps, lifecyclesOf, undo } from './lifecycle.js';
import type { LinkedCall } from './answered-resources.js';
import { edgeCases, plainCases, plainParts, type RequestCase, smallerCases } from './request-cases.js';
import { isRecorded, type Outcome, Session } from './session.js';
import { type Budget, inTurn, Server } from '../run/server.js';
import { randomOf } from '../run/random.js';
import type { Finding, Rule, VerifyReport } from '../run/verify-report.js';
import { shrunk } from '../run/shrink.js';
import { Violations } from '../run/violations.js';

export interface VerifyOptions extends Budget, Pick<LoadOptions, 'allowOrigins'> {
  /** The server's URL, to which the contract's paths are appended. */
  readonly url: string;
  /** Path of the contract. */
  readonly openapi: string;
  /** By security scheme; `user:password` for the scheme basic. */
  readonly credentials: Readonly<Record<string, string>>;
  /** A whole number. Runs with the same seed send the same requests, as long as the server answers the same. */
  readonly seed: number;
  /** Rules that only warn, everywhere or in one operation: `valid-refused`, `valid-refused at listUsers`. */
  readonly warn: readonly string[];
  /** The operations, by operationId, that get no request. */
  readonly skip: readonly string[];
  /** Paths of resources that, with everything below them, are only read, such as the account of the credentials. */
  readonly protect: readonly string[];
  readonly compiling?: Progress;
  /** Called after each edge case. */
  readonly progress?: Progress;
}

/** @throws ContractError if the contract has a fault; an Error for an unknown name in the options, or if no server answers */
export async function verifyOpenapi(options: VerifyOptions): Promise<VerifyReport> {
  const { openapi, compiling: progress, allowOrigins } = options;
  const running = without(options.skip, await runContract(openapi, { progress, allowOrigins }));
  requireKnown(
    'security scheme',
    Object.keys(options.credentials),
    Object.keys(running.model.securitySchemes),
  );
  requireKnown('operation', options.skip, Object.keys(running.contract.operations));
  const credentials = new Credentials(options.credentials, running.model.securitySchemes);
  const server = new Server(options.url, options);
  const { protect, seed } = options;
  const session = new Session({ server, running, credentials, protect, random: randomOf(seed) });
  try {
    const violations = new Violations({ ...options, secrets: credentials.secrets });
    await new Run(session, running, options, server, violations).all();
    return {
      url: options.url,
      seed: options.seed,
      requests: server.requests,
      isComplete: !server.isOver,
      operations: running.model.operations.map(({ id, method, path }) => {
        const { requests = 0, successes = 0 } = session.counts.get(id) ?? {};
        return { id, name: `${method} ${path}`, requests, successes };
      }),
      violations: violations.all,
      unverified: running.model.operations.flatMap((operation) => {
        const { id, method, path } = operation;
        const missing = credentials.missingFor(operation);
        if (missing.length === 0) return [];
        return [{ kind: 'missing-credential', id, name: `${method} ${path}`, missing }];
      }),
    };
  } finally {
    server.close();
  }
}

function requireKnown(what: string, given: readonly string[], known: readonly string[]): void {
  const unknown = given.find((each) => !known.includes(each));
  if (unknown !== undefined)
    throw new Error(`The contract has no ${what} ${unknown}: it has ${known.join(', ') || 'none'}`);
}

function without(skipped: readonly string[], running: RunningContract): RunningContract {
  const operations = running.model.operations.filter(({ id }) => !skipped.includes(id));
  return { ...running, model: { ...running.model, operations } };
}

/** Methods to try where a path does not declare them, because a server may implement them nevertheless. */
const OTHER_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The most times that a link is followed without a success. */
const MOST_FOLLOWED = 5;

class Run {
  /** The number of times that each link was followed. */
  readonly #followed = new Map<string, number>();

  constructor(
    private readonly session: Session,
    private readonly running: RunningContract,
    private readonly options: VerifyOptions,
    private readonly server: Server,
    private readonly violations: Violations,
  ) {}

  /** Sends plain requests first, because the others are sent to the resources that these create. */
  async all(): Promise<void> {
    const { document, model } = this.running;
    const creators = model.operations.filter(({ method }) => method === 'POST');
    const removers = model.operations.filter(({ method }) => method === 'DELETE');
    const others = model.operations.filter((each) => !creators.includes(each) && !removers.includes(each));
    const byDepth = (operations: readonly OperationModel[]): readonly OperationModel[] =>
      operations.toSorted((a, b) => a.path.split('/').length - b.path.split('/').length);
    for (const operation of [...byDepth(creators), ...others, ...removers, ...byDepth(creators)]) {
      for (const each of plainCases(document, operation)) await this.#attempt(each, true);
    }
    const steps = lifecycleSteps(document, this.session, (outcome) => this.#see(outcome, true));
    for (const lifecycle of lifecyclesOf(model.operations)) {
      const found = await runLifecycle(lifecycle, steps);
      if (found === undefined) continue;
      const [last, ...before] = found.steps;
      this.#add(`${found.rule} ${lifecycle.read.id}`, found, last, before);
    }
    for (const operation of model.operations) if (operation.method === 'GET') await this.#list(operation);
    await this.#edges();
  }

  async #list(operation: OperationModel): Promise<void> {
    const { document, model } = this.running;
    const creator = model.operations.find(({ method, path }) => method === 'POST' && path === operation.path);
    const found = (finding: Finding, outcome: Outcome): void => {
      const key = `${finding.rule} ${operation.id}`;
      if (!this.violations.count(key)) this.#add(key, finding, outcome);
    };
    const seen = (outcome: Outcome): Promise<void> => this.#see(outcome, true);
    await new ListChecks(document, operation, this.session, found, seen).run(async () => {
      const parts = creator && plainParts(document, creator, true);
      if (parts !== undefined) await this.#attempt({ about: 'another item of the list', parts }, true);
    });
  }

  /** Sends one request per operation in turn, so that the budget is spent on all operations. */
  async #edges(): Promise<void> {
    const { random } = this.session;
    const { operations } = this.running.model;
    const queues = operations.map((operation) => {
      // Making the cases of a large contract may take longer than the budget lasts.
      if (this.server.isOver) return [];
      const siblings = operations.filter(({ path }) => path === operation.path);
      const isFirst = siblings[0] === operation;
      // A recording does not show which methods a path does not have.
      const missing = siblings.some(isRecorded)
        ? []
        : OTHER_METHODS.filter((method) => siblings.every((each) => each.method !== method));
      const cases = random.shuffled([...edgeCases(this.running.document, operation, isFirst ? missing : [])]);
      return cases.toSorted((a, b) => Number(b.isRestriction) - Number(a.isRestriction));
    });
    const { server, options } = this;
    await inTurn(queues, { server, progress: options.progress }, ({ make }) => this.#attempt(make(), false));
  }

  async #attempt(given: RequestCase, isPlain: boolean): Promise<void> {
    const outcome = await this.session.send(given);
    if (outcome !== undefined) await this.#see(outcome, isPlain);
  }

  /** Records the violation that an answer shows, with the smallest request for it, and follows the answer's links. */
  async #see(outcome: Outcome, isPlain: boolean): Promise<void> {
    const { finding } = outcome;
    if (finding !== undefined) {
      const key = keyOf(outcome, finding, isPlain);
      const isKnown = this.violations.count(key, keyOf(outcome, finding, true));
      if (!isKnown) await this.#shrink(key, outcome, finding, isPlain);
    }
    for (const link of outcome.links) await this.#follow(link, outcome);
    const [shown, read] =
      (await readBack(outcome, this.running, this.session, (each) => this.#see(each, true))) ?? [];
    if (shown === undefined || read === undefined) return;
    const of = `${shown.rule} ${outcome.case.parts.operation.id}`;
    if (!this.violations.count(of)) this.#add(of, shown, read, [outcome]);
  }

  /** Shrinks the request of a violation. Violations whose smallest requests have the same shape are recorded as one. */
  async #shrink(key: string, outcome: Outcome, finding: Finding, isPlain: boolean): Promise<void> {
    await undo(this.running, this.session, outcome);
    const smallest = await shrunk(outcome.case, outcome, smallerCases, async (smaller) => {
      const again = await this.session.send(smaller);
      if (again === undefined) return undefined;
      await undo(this.running, this.session, again);
      const isSame = again.finding !== undefined && keyOf(again, again.finding, isPlain) === key;
      return isSame && sameReach(again, outcome) ? again : undefined;
    });
    const shape = shapeOf(smallest, finding.rule);
    if (!this.violations.count(shape)) this.#add(shape, smallest.finding ?? finding, smallest);
    this.violations.alias(key, shape);
  }

  /** Follows a link until it succeeds once, because success may depend on the state of the resource. */
  async #follow({ name, operationId, parameters, body }: LinkedCall, from: Outcome): Promise<void> {
    const key = `${from.case.parts.operation.id} ${name}`;
    const operation = this.running.model.operations.find(({ id }) => id === operationId);
    const parts = operation && plainParts(this.running.document, operation, false);
    const times = this.#followed.get(key) ?? 0;
    if (operation === undefined || parts === undefined || times >= MOST_FOLLOWED) return;
    this.#followed.set(key, times + 1);
    const given = operation.parameters.flatMap((parameter) => {
      const value = parameters[`${parameter.in}.${parameter.name}`] ?? parameters[parameter.name];
      return value === undefined ? [] : [{ parameter, value }];
    });
    const rest = parts.parameters.filter(({ parameter }) =>
      given.every((each) => each.parameter !== parameter),
    );
    const pathValues = given.filter(({ parameter }) => parameter.in === 'path').map(({ value }) => value);
    const media = operation.requestBody?.content[0];
    const outcome = await this.session.send(
      {
        about: `the link ${name} of ${from.case.parts.operation.id}`,
        parts: {
          ...parts,
          parameters: [...given, ...rest],
          ...(body !== undefined && media !== undefined && { body: { media, value: body } }),
        },
        ...(body !== undefined && { isExact: true }),
      },
      pathValues.length > 0 ? pathValues : undefined,
    );
    if (outcome === undefined) return;
    if ('status' in outcome.answer && outcome.answer.status < 400) this.#followed.set(key, MOST_FOLLOWED);
    await this.#see(outcome, false);
  }

  #add(key: string, finding: Finding, outcome: Outcome, before: readonly Outcome[] = []): void {
    const { id, method, path } = outcome.case.parts.operation;
    const { about } = outcome.case;
    this.violations.add(
      key,
      finding,
      { operation: `${method} ${path}`, about, places: [id] },
      outcome,
      before,
    );
  }
}

/** The key of a violation: the same for the same refusal or message, for plain requests, or else for the same thing under test. */
function keyOf(
  { case: { parts, about }, reach, answer }: Outcome,
  { rule, message }: Finding,
  isPlain: boolean,
): string {
  const kind = 'refusal' in reach ? reach.refusal.sentence : 'valid';
  const status = 'status' in answer ? String(answer.status) : '';
  const id = `${rule} ${parts.operation.id}`;
  if (rule === 'broken-accepted') return `${id} ${kind}`;
  if (['wrong-answer', 'undeclared-status', 'leaked'].includes(rule))
    return `${id} ${message.replaceAll(/\d+/g, '0')}`;
  return `${id} ${status} ${isPlain ? '' : about}`;
}

/** A request and its answer without varying values. For a server error, the types of values and the refusal do not matter either. */
function shapeOf({ case: { parts, tamper, credentials }, reach, answer }: Outcome, rule: Rule): string {
  const isOwnFault = rule === 'server-error' || rule === 'no-answer';
  const body = JSON.stringify(parts.body?.value, (_, value: unknown) => {
    if (typeof value === 'object' && value !== null) return value;
    return isOwnFault ? 'value' : typeof value;
  });
  const names = parts.parameters.map(({ parameter }) => `${parameter.in} ${parameter.name}`).sort();
  const status = 'status' in answer ? answer.status : answer.failure;
  const kind = 'operation' in reach ? 'valid' : isOwnFault ? 'broken' : reach.refusal.sentence;
  return [rule, parts.operation.id, status, kind, tamper !== undefined, credentials, ...names, body].join(
    ' ',
  );
}

function sameReach(a: Outcome, b: Outcome): boolean {
  return JSON.stringify(a.reach) === JSON.stringify(b.reach);
}
