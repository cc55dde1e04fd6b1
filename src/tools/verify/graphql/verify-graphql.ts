/** Verifies a running server against its GraphQL schema: by plain requests, lifecycles, subscriptions and edge cases. */

import { type ConstraintChecks, type SchemaFiles, constraintChecks, readSchema } from 'concordat/contract';
import { type GraphQLSchema, SchemaMetaFieldDef, parse } from 'graphql';
import type { Json } from '@concordat/runtime';
import type { Selection } from '@concordat/runtime/parts';
import { type RootField, rootFieldsOf } from '../../values/graphql/operation-draft.js';
import { type SentCase, type Lifecycle, Run, type RunOptions } from '../run/run.js';
import type { Finding, VerifyReport } from '../run/verify-report.js';
import { type Budget, isMocked } from '../run/server.js';
import type { Secret } from '../run/violations.js';
import { EVENTS, type Judgement, judge, judgeConversation } from './answers/verdict.js';
import type { GraphqlResponse, WrittenError } from './answers/response-problems.js';
import { ListChecks } from './list-checks.js';
import { RecordChecks } from './record-checks.js';
import { type RecordRoots, lifecyclesOf, namedBy } from './record-roots.js';
import type { Asker } from './records.js';
import { introspectionProblem, introspectionQuery } from './answers/introspection.js';
import { type Kinds, KnownIds, type Variables, freshVariables, kindsOf, removes } from './resources.js';
import { JSON_RESULT, type OperationCase } from './requests/graphql-request.js';
import { conversationOf } from './requests/broken-cases.js';
import { type ExpectedOutcome, expectedOutcomeOf, writtenOf } from './requests/graphql-request.js';
import { OperationCases, smallerOperations } from './requests/operation-cases.js';

interface VerifyGraphqlOptions extends RunOptions {
  /** The file of the schema in SDL. */
  readonly schema: SchemaFiles;
  /** The path of the GraphQL endpoint: `/graphql`. */
  readonly path: string;
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Reads the schema. @returns verifies the operations that are selected */
export async function preparedGraphql(
  options: VerifyGraphqlOptions,
  selection: Selection,
): Promise<(budget: Budget) => Promise<VerifyReport>> {
  const schema = await readSchema(options.schema);
  // Its operations have no tags, and neither path nor method of their own.
  const roots = rootFieldsOf(schema).filter(({ id }) =>
    selection.has({ id, tags: [], method: '', path: '' }),
  );
  const constraints = await constraintChecks(schema);
  return (budget) => new GraphqlRun({ ...options, ...budget }, schema, roots, constraints).report();
}

const INTROSPECTION: RootField = { id: 'Query.__schema', kind: 'query', field: SchemaMetaFieldDef };

/** A case that was sent. */
interface Outcome extends SentCase<OperationCase>, Judgement {
  readonly expected: ExpectedOutcome;
}

class GraphqlRun extends Run<RootField, OperationCase, Outcome, Variables> {
  protected readonly names: ReadonlyMap<string, string>;
  protected readonly plainOrder: readonly RootField[];
  protected readonly lifecycles: readonly Lifecycle<RootField, Outcome, Variables>[];
  readonly #known: KnownIds;
  readonly #cases: OperationCases;
  readonly #kinds: Kinds;
  readonly #records: readonly RecordRoots[];

  constructor(
    private readonly own: VerifyGraphqlOptions,
    private readonly schema: GraphQLSchema,
    roots: readonly RootField[],
    private readonly constraints: ConstraintChecks,
  ) {
    const secrets = Object.entries(own.headers).map(([name, text]): Secret => ({
      ...{ text, in: 'header', name },
      variable: name.toUpperCase().replaceAll(/\W/g, '_'),
    }));
    const filled = secrets.filter(({ text }) => text !== '');
    super(own, filled);
    this.#known = new KnownIds(schema, this.random);
    this.#cases = new OperationCases(schema, roots);
    this.#kinds = kindsOf(roots);
    const { queries, creators, removers, changes } = this.#kinds;
    this.names = new Map(roots.map(({ id, kind, field }) => [id, `${kind} ${field.name}`]));
    const twice = [...creators, ...creators];
    this.plainOrder = [...queries, ...twice, ...changes, ...queries, ...removers, ...creators];
    this.#records = lifecyclesOf(this.#kinds, schema, this.#known);
    this.lifecycles = this.#records.map(({ type, ...each }) => ({
      ...each,
      createdBy: ({ ids }) => {
        const id = ids.find((seen) => seen.type === type)?.id;
        return id === undefined ? undefined : (root) => namedBy(root, id);
      },
    }));
  }

  override async report(): Promise<VerifyReport> {
    await this.#introspect();
    return super.report();
  }

  protected siteOf({ case: { about, root } }: Outcome, finding?: Finding) {
    const { id, kind, field } = root;
    return { id, name: `${kind} ${field.name}`, about, places: [id, finding?.place ?? ''] };
  }

  /**
   * Sends the request of a case with texts that are new to the server and ids from its answers, unless it would change a protected
   * resource.
   *
   * @param ids - the ids of a certain resource, by variable name
   */
  protected async exchange(given: OperationCase, ids: Variables = {}): Promise<Outcome | undefined> {
    const { root, conversation, cause } = given;
    const { path, headers, protect } = this.own;
    const isChange = root.kind === 'mutation';
    const newest = isChange && removes(root);
    const variables = given.isExact === true ? given.variables : { ...this.#fresh(given, newest), ...ids };
    if (isChange && valuesOf(variables).some((value) => protect.includes(String(value)))) return undefined;
    const written = writtenOf(this.schema, path, given, variables, headers);
    const expected = expectedOutcomeOf(this.schema, written, this.constraints);
    const request = conversation === undefined ? written : conversationOf(written, headers, conversation);
    const isPlain = conversation === undefined;
    const answer = await this.server[isPlain ? 'send' : 'converse'](request, cause);
    if (answer === undefined) return undefined;
    const judgement = isPlain
      ? judge(this.schema, written, expected, answer)
      : judgeConversation(this.schema, conversation, expected, answer);
    const { ids: seen, response } = judgement;
    for (const id of seen) this.#known.add(id);
    const isSuccess = !('refusal' in expected) && response?.data != null && response.errors === undefined;
    if (isSuccess && newest) for (const value of valuesOf(variables)) this.#known.forget(value);
    const shown = { isSuccess, isTaken: isSuccess, isGone: isGone(response) };
    return { case: given, request, answer, expected, ...judgement, ...shown };
  }

  #fresh({ root, document, variables, kept }: OperationCase, newest: boolean): Variables {
    const forbidden = root.kind === 'mutation' ? this.own.protect : [];
    const options = { known: this.#known, random: this.random, newest, forbidden, kept };
    return freshVariables(this.schema, document, variables, options);
  }

  protected plain(root: RootField): Iterable<OperationCase> {
    return this.#cases.plain(root);
  }

  protected step(root: RootField): OperationCase | undefined {
    return [...this.#cases.plain(root)][0];
  }

  protected edges(): readonly (readonly (() => OperationCase)[])[] {
    const roots = [...this.#kinds.queries, ...this.#kinds.mutations];
    const [first] = roots;
    return roots.map((root) => {
      const own = root === first ? [...this.#cases.ofEndpoint(root)] : [];
      return [...own, ...this.random.shuffled([...this.#cases.edges(root)])].map((each) => () => each);
    });
  }

  protected smaller(whole: OperationCase): Iterable<OperationCase> {
    // Each attempt would have to wait for events, which may not occur.
    return whole.root.kind === 'subscription' ? [] : smallerOperations(whole);
  }

  protected keyOf(
    { case: { root, about, kept }, expected }: Outcome,
    { rule, message, place = '' }: Finding,
    isPlain: boolean,
  ): string {
    if (rule === 'leaked') return `${rule} ${withoutValues(message)}`;
    // Below the root, the same fault appears in every operation that leads there.
    if (rule === 'wrong-answer' || (rule === 'server-error' && place !== '' && place !== root.id))
      return `${rule} ${place} ${withoutValues(message)}`;
    // A refusal that concerns no argument has the same reason for all operations.
    if (rule === 'valid-refused' && kept === undefined) return `${rule} ${withoutValues(message)}`;
    if (rule !== 'broken-accepted') return `${rule} ${place || root.id} ${isPlain ? '' : about}`;
    const isOfEndpoint = kept === undefined || ('refusal' in expected && expected.breaks !== 'schema');
    return `${rule} ${isOfEndpoint ? '' : root.id} ${about}`;
  }

  protected shapeOf({ request }: Outcome, _: Finding, key: string): string {
    const body = (request.body ?? '').replaceAll('\\"', '"').replaceAll(/\s/g, '');
    return `${key} ${withoutValues(`${request.query} ${body}`)}`;
  }

  protected expectsTheSame(a: Outcome, b: Outcome): boolean {
    const reason = ({ expected }: Outcome): string =>
      'refusal' in expected ? withoutValues(expected.refusal) : '';
    return reason(a) === reason(b);
  }

  protected shownBy({ isGone }: Outcome): string {
    return isGone ? 'reading it finds nothing' : 'reading it finds it';
  }

  /** Compares the server's schema with the contract, unless the server refuses introspection. */
  async #introspect(): Promise<void> {
    const document = parse(introspectionQuery(this.schema), { noLocation: true });
    const manner = { variables: {}, isLiteral: true, accept: JSON_RESULT };
    const outcome = await this.send({ about: 'introspection', root: INTROSPECTION, document, ...manner });
    if (outcome === undefined) return;
    if ('status' in outcome.answer && outcome.answer.status === 404)
      throw new Error(`${this.server.url} has no GraphQL at ${outcome.request.path}`);
    const { data, errors } = outcome.response ?? {};
    if (data == null || errors !== undefined) return;
    const message = outcome.finding?.message ?? introspectionProblem(this.schema, data);
    if (message !== undefined)
      this.add('introspection', { rule: 'wrong-answer', message, place: '' }, outcome);
  }

  /** Reads each subscription over server-sent events, and over WebSocket if the server supports it. */
  protected async special(): Promise<void> {
    await this.#subscriptions();
    for (const each of this.#records) {
      const records = new RecordChecks(each, this.#asker);
      await records.check();
      for (const list of each.lists) await new ListChecks(each, list, this.#asker).check(records);
    }
  }

  readonly #asker: Asker<Outcome> = {
    ask: async (root, given, about) => {
      const [made] = this.#cases.exact(root, given, about);
      const outcome = made && (await this.attempt(made, true));
      const { data } = outcome?.response ?? {};
      if (outcome?.isSuccess !== true || isMocked(outcome.answer)) return undefined;
      return { sent: given, data: data as Json, outcome };
    },
    sample: (root) => {
      const [, whole] = this.#cases.plain(root);
      return whole && this.#fresh(whole, true);
    },
    ids: (field, name) => this.#known.of(this.#known.typesOf(field, name)[0] ?? ''),
    add: (rule, message, shown, before = [], isUncertain = false) => {
      const key = `${rule} ${shown.case.root.id} ${withoutValues(message)}`;
      const led = before.filter((each) => each !== undefined);
      this.add(key, { rule, message, isUncertain, place: '' }, shown, led);
    },
  };

  async #subscriptions(): Promise<void> {
    const { subscriptions } = this.#kinds;
    let hasWebSocket = true;
    for (const root of subscriptions) {
      for (const plain of this.#cases.plain(root)) {
        await this.#whileCreating({ ...plain, accept: EVENTS });
        if (!hasWebSocket) continue;
        const about = `over WebSocket: ${plain.about}`;
        const outcome = await this.#whileCreating({ ...plain, about, conversation: {} });
        hasWebSocket = outcome !== undefined && outcome.finding?.rule !== 'no-answer';
      }
    }
    const [first] = subscriptions;
    if (first === undefined || !hasWebSocket) return;
    for (const broken of this.#cases.brokenConversations(first)) await this.attempt(broken, true);
  }

  /** Subscribes while resources are created, so that there are events. */
  #whileCreating(subscription: OperationCase): Promise<Outcome | undefined> {
    const cause = async (): Promise<void> => {
      for (const creator of this.#kinds.creators) {
        const [create] = this.#cases.plain(creator);
        if (create !== undefined) await this.attempt(create, true);
      }
    };
    return this.attempt({ ...subscription, cause }, true);
  }
}

const withoutValues = (text: string): string => text.replaceAll(/"[^"]*"|\d+/g, '0');

/** Whether the fields of an operation are null, without errors or only with errors that mean "not found". */
function isGone(response: GraphqlResponse | undefined): boolean {
  const values: readonly unknown[] = response?.data == null ? [] : Object.values(response.data);
  const isNull = response?.data === null || (values.length > 0 && values.every((value) => value === null));
  const isMissing = ({ message, extensions }: WrittenError): boolean =>
    /not.?(?:found|exist)|no such/i.test(`${message} ${JSON.stringify(extensions ?? '')}`);
  return isNull && (response?.errors ?? []).every(isMissing);
}

/** The texts and numbers in a value. */
function valuesOf(value: Json): readonly (string | number)[] {
  if (typeof value === 'string' || typeof value === 'number') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value as Readonly<Record<string, Json>>).flatMap(valuesOf);
}
