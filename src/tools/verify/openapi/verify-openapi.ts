/** Verifies a running server against its OpenAPI contract. */

import type { Selection } from '@concordat/runtime/parts';
import { type LoadOptions, type OpenApiDocument, type OperationModel, basePathOf } from 'concordat/contract';
import { type Progress, type RunningContract, runContract } from '../../running/running-contract.js';
import { type Lifecycle, Run, type RunOptions } from '../run/run.js';
import type { Finding, OperationReport, VerifyReport } from '../run/verify-report.js';
import type { Budget } from '../run/server.js';
import { Credentials } from './credentials.js';
import type { LinkedCall } from './links.js';
import { ListChecks } from './lists.js';
import { createdBy, ReadBack } from './read-back.js';
import { NestedChecks } from './nested-checks.js';
import { RecordChecks } from './record-checks.js';
import { plainParts } from '../../running/plain-parts.js';
import { edgeCases, plainCases, type RequestCase, smallerCases } from './request-cases.js';
import { type Resource, resourcesOf } from '../../running/resources.js';
import type { PathValues } from './named-resources.js';
import { isRecorded, type Outcome, Session, statusOf } from './session.js';

export interface VerifyOptions extends RunOptions, Pick<LoadOptions, 'allowOrigins'> {
  /** Path of the contract. */
  readonly openapi: string;
  /** The path on the server before those of the contract; that of its first server unless given, if the URL has no path of its own. */
  readonly openapiPath?: string | undefined;
  /** By security scheme; `user:password` for the scheme basic. */
  readonly credentials: Readonly<Record<string, string>>;
  readonly compiling?: Progress | undefined;
  /** Selectors of the operations that the server has; all unless given. The others are no part of the contract. */
  readonly onlyServed?: readonly string[];
  readonly exceptServed?: readonly string[];
}

/** Reads the contract. @returns verifies the operations that are selected */
export async function preparedOpenapi(
  options: VerifyOptions,
  selection: Selection,
): Promise<(budget: Budget) => Promise<VerifyReport>> {
  const { openapi, compiling: progress, allowOrigins, onlyServed: only, exceptServed: except } = options;
  const { model, ...running } = await runContract(openapi, { progress, allowOrigins, only, except });
  requireKnown('security scheme', Object.keys(options.credentials), Object.keys(model.securitySchemes));
  const operations = model.operations.filter((each) => selection.has(each));
  const credentials = new Credentials(options.credentials, model.securitySchemes);
  const unverified = operations.flatMap((operation) => {
    const missing = credentials.missingFor(operation);
    if (missing.length === 0) return [];
    return [{ kind: 'missing-credential' as const, id: operation.id, name: nameOf(operation), missing }];
  });
  const chosen = { ...running, model: { ...model, operations } };
  const url = baseOf(options, running.document);
  return (budget) => new OpenapiRun({ ...options, ...budget, url }, chosen, credentials).report(unverified);
}

/** The address before the paths of the contract, as `init` and `mock` serve them. */
function baseOf({ url, openapiPath }: VerifyOptions, { servers }: OpenApiDocument): string {
  const hasPath = new URL(url).pathname !== '/';
  const path = openapiPath ?? (hasPath ? '' : (basePathOf(servers?.[0]) ?? ''));
  return (url.replace(/\/$/, '') + path).replace(/\/$/, '');
}

function requireKnown(what: string, given: readonly string[], known: readonly string[]): void {
  const unknown = given.find((each) => !known.includes(each));
  if (unknown !== undefined)
    throw new Error(`The contract has no ${what} ${unknown}: it has ${known.join(', ') || 'none'}`);
}

/** Methods to try where a path does not declare them, because a server may implement them nevertheless. */
const OTHER_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The most times that a link is followed without a success. */
const MOST_FOLLOWED = 5;

class OpenapiRun extends Run<OperationModel, RequestCase, Outcome, PathValues> {
  protected readonly names: ReadonlyMap<string, string>;
  protected readonly plainOrder: readonly OperationModel[];
  protected readonly lifecycles: readonly Lifecycle<OperationModel, Outcome, PathValues>[];
  protected override readonly describedAt: (id: string) => Pick<OperationReport, 'place' | 'tags'>;
  readonly #session: Session;
  readonly #resources: readonly Resource[];
  readonly #readBack: ReadBack;
  /** The number of times that each link was followed. */
  readonly #followed = new Map<string, number>();

  constructor(
    options: VerifyOptions,
    private readonly running: RunningContract,
    credentials: Credentials,
  ) {
    super(options, credentials.secrets);
    const { server, random } = this;
    const { operations } = running.model;
    const { protect } = options;
    this.#session = new Session({ server, running, credentials, protect, random });
    this.#resources = resourcesOf(operations);
    this.#readBack = new ReadBack(operations, this.#resources, this);
    this.names = new Map(operations.map((each) => [each.id, nameOf(each)]));
    const places = operations.map(({ pointer, tags }) => ({ place: running.place(pointer), tags }));
    const described = new Map(operations.map(({ id }, index) => [id, places[index]]));
    this.describedAt = (id) => described.get(id) ?? {};
    const creators = operations
      .filter(({ method }) => method === 'POST')
      .toSorted((a, b) => a.path.split('/').length - b.path.split('/').length);
    const removers = operations.filter(({ method }) => method === 'DELETE');
    const others = operations.filter((each) => !creators.includes(each) && !removers.includes(each));
    this.plainOrder = [...creators, ...others, ...removers, ...creators];
    this.lifecycles = this.#resources.flatMap(({ create, read, remove }) => {
      if (create === undefined || read === undefined) return [];
      const target = (outcome: Outcome) => {
        const values = createdBy(outcome);
        return values && (() => values);
      };
      return [{ create, read, remove, createdBy: target }];
    });
  }

  protected siteOf({ case: { parts, about } }: Outcome) {
    const { id } = parts.operation;
    return { id, name: nameOf(parts.operation), about, places: [id] };
  }

  protected exchange(given: RequestCase, target?: PathValues): Promise<Outcome | undefined> {
    return this.#session.send(given, target);
  }

  protected plain(operation: OperationModel): Iterable<RequestCase> {
    return plainCases(operation);
  }

  protected step(operation: OperationModel, full: boolean): RequestCase | undefined {
    const parts = plainParts(operation, full);
    return parts && { about: `${operation.method} of the created resource`, parts };
  }

  protected edges(): readonly (readonly (() => RequestCase)[])[] {
    const { operations } = this.running.model;
    return operations.map((operation) => {
      // Making the cases of a large contract may take longer than the budget lasts.
      if (this.server.isOver) return [];
      const siblings = operations.filter(({ path }) => path === operation.path);
      const isFirst = siblings[0] === operation;
      // A recording does not show which methods a path does not have.
      const isTried = isFirst && !siblings.some(isRecorded);
      const missing = OTHER_METHODS.filter((method) => siblings.every((each) => each.method !== method));
      const cases = this.random.shuffled([...edgeCases(operation, isTried ? missing : [])]);
      const ordered = cases.toSorted((a, b) => Number(b.isRestriction) - Number(a.isRestriction));
      return ordered.map(({ make }) => make);
    });
  }

  protected smaller(whole: RequestCase): Iterable<RequestCase> {
    return smallerCases(whole);
  }

  protected keyOf(
    { case: { parts, about }, expected, answer }: Outcome,
    { rule, message }: Finding,
    isPlain: boolean,
  ): string {
    const kind = 'refusal' in expected ? expected.refusal.sentence : 'valid';
    const status = 'status' in answer ? String(answer.status) : '';
    const id = `${rule} ${parts.operation.id}`;
    if (rule === 'broken-accepted') return `${id} ${kind}`;
    if (['wrong-answer', 'undeclared-status', 'leaked'].includes(rule))
      return `${id} ${message.replaceAll(/\d+/g, '0')}`;
    return `${id} ${status} ${isPlain ? '' : about}`;
  }

  /** For a server error, the types of values and the refusal do not matter either. */
  protected shapeOf(outcome: Outcome, { rule }: Finding): string {
    const { parts, tamper, credentials } = outcome.case;
    const isOwnFault = rule === 'server-error' || rule === 'no-answer';
    const body = JSON.stringify(parts.body?.value, (_, value: unknown) => {
      if (typeof value === 'object' && value !== null) return value;
      return isOwnFault ? 'value' : typeof value;
    });
    const names = parts.parameters.map(({ parameter }) => `${parameter.in} ${parameter.name}`).sort();
    const { expected } = outcome;
    const kind = 'operation' in expected ? 'valid' : isOwnFault ? 'broken' : expected.refusal.sentence;
    const about = [rule, parts.operation.id, statusOf(outcome), kind, tamper !== undefined, credentials];
    return [...about, ...names, body].join(' ');
  }

  protected expectsTheSame(a: Outcome, b: Outcome): boolean {
    return JSON.stringify(a.expected) === JSON.stringify(b.expected);
  }

  protected shownBy(read: Outcome): string {
    return `is answered by ${statusOf(read)}`;
  }

  protected override async undo({ case: { parts }, created: [item] }: Outcome): Promise<void> {
    const remove = this.#resources.find(({ create }) => create === parts.operation)?.remove;
    const plain = remove && plainParts(remove, false);
    if (plain !== undefined && item !== undefined) await this.send({ about: 'to undo', parts: plain }, item);
  }

  protected override async follow(outcome: Outcome): Promise<void> {
    for (const link of outcome.links) await this.#followLink(link, outcome);
    await this.#readBack.check(outcome);
  }

  /** Asks for every list, and tests what is stored. */
  protected async special(): Promise<void> {
    const { model } = this.running;
    for (const resource of this.#resources) await new RecordChecks(resource, this).check();
    await new NestedChecks(this.#resources, this).check();
    for (const operation of model.operations.filter(({ method }) => method === 'GET')) {
      const { create, remove } = this.#resources.find(({ list }) => list === operation) ?? {};
      const send = async (each: OperationModel | undefined, full: boolean, item?: PathValues) => {
        const parts = each && plainParts(each, full);
        const about = item === undefined ? 'another item of the list' : 'an item of the list';
        return parts && this.attempt({ about, parts }, true, item);
      };
      await new ListChecks(operation, this).check(
        () => send(create, true),
        async (item) => (await send(remove, false, createdBy(item)))?.isSuccess === true,
      );
    }
  }

  /** Follows a link until it succeeds once, because success may depend on the state of the resource. */
  async #followLink({ name, operationId, parameters, body }: LinkedCall, from: Outcome): Promise<void> {
    const key = `${from.case.parts.operation.id} ${name}`;
    const operation = this.running.model.operations.find(({ id }) => id === operationId);
    const parts = operation && plainParts(operation, false);
    const times = this.#followed.get(key) ?? 0;
    if (operation === undefined || parts === undefined || times >= MOST_FOLLOWED) return;
    this.#followed.set(key, times + 1);
    const given = operation.parameters.flatMap((parameter) => {
      const value = parameters[`${parameter.in}.${parameter.name}`] ?? parameters[parameter.name];
      return value === undefined ? [] : [{ parameter, value }];
    });
    const named = given.map(({ parameter }) => parameter);
    const rest = parts.parameters.filter(({ parameter }) => !named.includes(parameter));
    const pathValues = given.filter(({ parameter }) => parameter.in === 'path').map(({ value }) => value);
    const media = operation.requestBody?.content[0];
    const written = body !== undefined && media !== undefined && { body: { media, value: body } };
    const about = `the link ${name} of ${from.case.parts.operation.id}`;
    const linked = { ...parts, parameters: [...given, ...rest], ...written };
    const call: RequestCase = { about, parts: linked, ...(body !== undefined && { isExact: true }) };
    const outcome = await this.send(call, pathValues.length > 0 ? pathValues : undefined);
    if (outcome === undefined) return;
    if ('status' in outcome.answer && outcome.answer.status < 400) this.#followed.set(key, MOST_FOLLOWED);
    await this.see(outcome, false);
  }
}

const nameOf = ({ method, path }: OperationModel): string => `${method} ${path}`;
