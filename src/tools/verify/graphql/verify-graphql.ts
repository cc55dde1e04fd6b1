/** Verifies a running server against its GraphQL schema: by plain requests, lifecycles, subscriptions and edge cases. */

import { type SchemaFiles, readSchema } from 'concordat/contract';
import { randomOf } from '../run/random.js';
import { type Budget, inTurn, Server } from '../run/server.js';
import type { VerifyReport } from '../run/verify-report.js';
import { Violations } from '../run/violations.js';
import { GraphqlSession, type Outcome, REMOVES } from './graphql-session.js';
import { type RootField, rootFieldsOf } from '../../values/graphql/ways.js';
import { type GraphQLSchema, parse, SchemaMetaFieldDef } from 'graphql';
import { shrunk } from '../run/shrink.js';
import { EVENTS, type GraphqlFinding } from './answers/graphql-verdict.js';
import { introspectionProblem, introspectionQuery } from './answers/introspection.js';
import { runLifecycle } from '../run/lifecycle.js';
import { CREATES, lifecycleSteps, lifecyclesOf } from './lifecycles.js';
import { JSON_RESULT, type OperationCase } from './requests/case-maker.js';
import type { Reach } from './requests/graphql-request.js';
import { OperationCases } from './requests/operation-cases.js';
import { smallerOperations } from './requests/smaller-operations.js';

export interface VerifyGraphqlOptions extends Budget {
  /** The server's URL, to which `path` is appended. */
  readonly url: string;
  /** The file of the schema in SDL. */
  readonly schema: SchemaFiles;
  /** The path of the GraphQL endpoint: `/graphql`. */
  readonly path: string;
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** A whole number. Runs with the same seed send the same requests, as long as the server answers the same. */
  readonly seed: number;
  /** Rules that only warn, everywhere or at one coordinate: `server-error`, `server-error at Query.users`. */
  readonly warn: readonly string[];
  /** The fields of root types, as `Query.users`, that get no request. */
  readonly skip: readonly string[];
  /** Ids of resources that no mutation gets, such as the account of the credentials. */
  readonly protect: readonly string[];
  /** Called after each edge case. */
  readonly progress?: (done: number, total: number) => void;
}

/** @throws ContractError if the schema has a fault; an Error for an unknown name in `skip`, or if no server answers */
export async function verifyGraphql(options: VerifyGraphqlOptions): Promise<VerifyReport> {
  const schema = await readSchema(options.schema);
  const all = rootFieldsOf(schema);
  const unknown = options.skip.find((each) => all.every(({ id }) => id !== each));
  if (unknown !== undefined)
    throw new Error(`The schema has no operation ${unknown}: it has ${all.map(({ id }) => id).join(', ')}`);
  const roots = all.filter(({ id }) => !options.skip.includes(id));
  const { url, seed, headers } = options;
  const server = new Server(url, options);
  const session = new GraphqlSession({ ...options, server, schema, random: randomOf(seed) });
  const secrets = new Map(
    Object.entries(headers).map(([name, text]) => [text, name.toUpperCase().replaceAll(/\W/g, '_')]),
  );
  const violations = new Violations({ ...options, secrets });
  try {
    await new GraphqlRun(schema, session, server, violations, options.progress).all(roots);
  } finally {
    server.close();
  }
  return {
    url,
    seed,
    requests: server.requests,
    isComplete: !server.isOver,
    operations: roots.map((root) => {
      const { requests = 0, successes = 0 } = session.counts.get(root.id) ?? {};
      return { id: root.id, name: nameOf(root), requests, successes };
    }),
    violations: violations.all,
    unverified: [],
  };
}

type Progress = (done: number, total: number) => void;

const INTROSPECTION: RootField = { id: 'Query.__schema', kind: 'query', field: SchemaMetaFieldDef };

/** One run over a schema. */
export class GraphqlRun {
  constructor(
    private readonly schema: GraphQLSchema,
    private readonly session: GraphqlSession,
    private readonly server: Server,
    private readonly violations: Violations,
    private readonly progress: Progress | undefined,
  ) {}

  /** Sends plain requests first, because the others name the resources that these create. */
  async all(roots: readonly RootField[]): Promise<void> {
    await this.#introspect();
    const cases = new OperationCases(this.schema, roots);
    const mutations = roots.filter(({ kind }) => kind === 'mutation');
    const removers = mutations.filter(({ field }) => REMOVES.test(field.name));
    const creators = mutations.filter(({ field }) => CREATES.test(field.name));
    const changes = mutations.filter((each) => !removers.includes(each) && !creators.includes(each));
    const queries = roots.filter(({ kind }) => kind === 'query');
    for (const root of [
      ...queries,
      ...creators,
      ...creators,
      ...changes,
      ...queries,
      ...removers,
      ...creators,
    ]) {
      for (const each of cases.plain(root)) await this.#attempt(each, true);
    }
    for (const lifecycle of lifecyclesOf(this.schema, roots, this.session)) {
      const steps = lifecycleSteps(lifecycle.type, async (root, ids) => {
        const [plain] = [...cases.plain(root)];
        return plain && (await this.#attempt(plain, true, ids));
      });
      const found = await runLifecycle(lifecycle, steps);
      if (found === undefined) continue;
      const [last, ...before] = found.steps;
      this.#add(`${found.rule} ${lifecycle.type}`, { ...found, place: '' }, last, before);
    }
    await this.#subscribe(roots, creators, cases);
    await this.#edges([...queries, ...mutations], cases);
  }

  /** Compares the server's schema with the contract, unless the server refuses introspection. */
  async #introspect(): Promise<void> {
    const document = parse(introspectionQuery(this.schema), { noLocation: true });
    const outcome = await this.session.send({
      about: 'introspection',
      root: INTROSPECTION,
      document,
      variables: {},
      isLiteral: true,
      accept: JSON_RESULT,
    });
    if (outcome === undefined) return;
    if ('status' in outcome.answer && outcome.answer.status === 404)
      throw new Error(`${this.server.url} has no GraphQL at ${outcome.request.path}`);
    const { data, errors } = outcome.response ?? {};
    if (data == null || errors !== undefined) return;
    const message = outcome.finding?.message ?? introspectionProblem(this.schema, data);
    if (message !== undefined)
      this.#add('introspection', { rule: 'wrong-answer', message, place: '' }, outcome);
  }

  /** Reads each subscription over server-sent events, and over WebSocket if the server supports it. */
  async #subscribe(
    roots: readonly RootField[],
    creators: readonly RootField[],
    cases: OperationCases,
  ): Promise<void> {
    let hasWebSocket = true;
    const subscriptions = roots.filter(({ kind }) => kind === 'subscription');
    for (const root of subscriptions) {
      for (const plain of cases.plain(root)) {
        await this.#whileCreating({ ...plain, accept: EVENTS }, creators, cases);
        if (!hasWebSocket) continue;
        const about = `over WebSocket: ${plain.about}`;
        const outcome = await this.#whileCreating({ ...plain, about, conversation: {} }, creators, cases);
        hasWebSocket = outcome !== undefined && outcome.finding?.rule !== 'no-answer';
      }
    }
    const [first] = subscriptions;
    if (first === undefined || !hasWebSocket) return;
    for (const broken of cases.brokenConversations(first)) await this.#attempt(broken, true);
  }

  /** Subscribes while resources are created, so that there are events. */
  #whileCreating(
    subscription: OperationCase,
    creators: readonly RootField[],
    cases: OperationCases,
  ): Promise<Outcome | undefined> {
    const cause = async (): Promise<void> => {
      for (const creator of creators) {
        const [create] = cases.plain(creator);
        if (create !== undefined) await this.#attempt(create, true);
      }
    };
    return this.#attempt({ ...subscription, cause }, true);
  }

  /** Sends one request per operation in turn, so that the budget is spent on all operations. */
  async #edges(roots: readonly RootField[], cases: OperationCases): Promise<void> {
    const [first] = roots;
    const queues = roots.map((root) => {
      const own = root === first ? [...cases.ofEndpoint(root)] : [];
      return [...own, ...this.session.random.shuffled([...cases.edges(root)])];
    });
    const { server, progress } = this;
    await inTurn(queues, { server, progress }, (next) => this.#attempt(next, false));
  }

  async #attempt(
    given: OperationCase,
    isPlain: boolean,
    ids?: Readonly<Record<string, string | number>>,
  ): Promise<Outcome | undefined> {
    const outcome = await this.session.send(given, ids);
    if (outcome?.finding !== undefined) await this.#see(outcome, outcome.finding, isPlain);
    return outcome;
  }

  /** Records the violation that an answer shows, with the smallest request for it. */
  async #see(outcome: Outcome, finding: GraphqlFinding, isPlain: boolean): Promise<void> {
    const key = keyOf(outcome, finding, isPlain);
    if (this.violations.count(key, keyOf(outcome, finding, true))) return;
    const smallest = await this.#smallest(outcome, key, isPlain);
    const shape = `${key} ${shapeOf(smallest)}`;
    if (!this.violations.count(shape)) this.#add(shape, smallest.finding ?? finding, smallest);
    this.violations.alias(key, shape);
  }

  #smallest(outcome: Outcome, key: string, isPlain: boolean): Promise<Outcome> | Outcome {
    // Each attempt would have to wait for events, which may not occur.
    if (outcome.case.root.kind === 'subscription') return outcome;
    return shrunk(outcome.case, outcome, smallerOperations, async (smaller) => {
      const again = await this.session.send(smaller);
      const isSame = again?.finding !== undefined && keyOf(again, again.finding, isPlain) === key;
      return isSame && sameReach(again.reach, outcome.reach) ? again : undefined;
    });
  }

  #add(key: string, finding: GraphqlFinding, outcome: Outcome, before: readonly Outcome[] = []): void {
    const { about, root } = outcome.case;
    const places = [root.id, finding.place];
    this.violations.add(key, finding, { operation: nameOf(root), about, places }, outcome, before);
  }
}

export function nameOf({ kind, field }: RootField): string {
  return `${kind} ${field.name}`;
}

/** The key of a violation: the same for the same field, for plain requests or the same thing under test. */
function keyOf(
  { case: { root, about, kept }, reach }: Outcome,
  finding: GraphqlFinding,
  isPlain: boolean,
): string {
  const { rule, message, place } = finding;
  if (rule === 'leaked') return `${rule} ${withoutValues(message)}`;
  // Below the root, the same fault appears in every operation that leads there.
  if (rule === 'wrong-answer' || (rule === 'server-error' && place !== '' && place !== root.id))
    return `${rule} ${place} ${withoutValues(message)}`;
  // A refusal that concerns no argument has the same reason for all operations.
  if (rule === 'valid-refused' && kept === undefined) return `${rule} ${withoutValues(message)}`;
  if (rule !== 'broken-accepted') return `${rule} ${place || root.id} ${isPlain ? '' : about}`;
  const isOfEndpoint = kept === undefined || ('refusal' in reach && reach.breaks !== 'schema');
  return `${rule} ${isOfEndpoint ? '' : root.id} ${about}`;
}

function withoutValues(text: string): string {
  return text.replaceAll(/"[^"]*"|\d+/g, '0');
}

/** The smallest request without varying values. */
function shapeOf({ request }: Outcome): string {
  return withoutValues(
    `${request.query} ${(request.body ?? '').replaceAll('\\"', '"').replaceAll(/\s/g, '')}`,
  );
}

/** Whether the schema accepts both requests, or refuses both for the same reason. */
function sameReach(a: Reach, b: Reach): boolean {
  const reason = (reach: Reach): string => ('refusal' in reach ? withoutValues(reach.refusal) : '');
  return reason(a) === reason(b);
}
