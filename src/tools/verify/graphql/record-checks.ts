/** Verifies what a GraphQL server makes of the records of one type: the values that it keeps, what changes do, and the parents of records. */

import type { Json } from '@concordat/runtime';
import { defaultOf } from '@concordat/runtime/graphql';
import {
  type GraphQLArgument,
  type GraphQLInputField,
  getNamedType,
  isInputObjectType,
  isNonNullType,
} from 'graphql';
import { type Entity, isEntity, writtenValue } from '../../running/resources.js';
import type { RootField } from '../../values/graphql/operation-draft.js';
import { OWN, isSameValue, isScalar } from '../openapi/read-back.js';
import { type Asked, type Asker, changedLeaf, membersOf, recordsIn, replaced } from './records.js';
import type { RecordRoots } from './record-roots.js';
import type { Variables } from './resources.js';

/** Values that servers often spoil, those that they take for absent, and how each takes the place of a value. */
const SPOILT: readonly ((value: Json) => Json | undefined)[] = [
  (value) => {
    if (typeof value === 'string') return /^\w+$/.test(value) ? `${value} <b>Ünï & "Co"</b> 😀` : undefined;
    if (typeof value === 'number') return Number.isInteger(value) ? 2_000_000_011 : 1234.56789;
    return Array.isArray(value) && typeof value[0] === 'string' ? ['beta', 'alpha', 'gamma'] : undefined;
  },
  (value) => (typeof value === 'number' ? 0 : typeof value === 'boolean' ? false : undefined),
  (value) => (typeof value === 'boolean' ? true : typeof value === 'number' ? -1 : undefined),
  (value) => (typeof value === 'string' && /^\w+$/.test(value) ? '' : Array.isArray(value) ? [] : undefined),
];

const ID = /ids?$/i;

/** A call that shows a record. */
type Shown<Outcome> = Asked<Outcome> & { readonly record: Entity };

const isRequired = (input: GraphQLArgument | GraphQLInputField): boolean =>
  isNonNullType(input.type) && defaultOf(input) === undefined;

/** The fewest records of a list that may go on. */
const FEW = 5;

export class RecordChecks<Outcome> {
  /** The members that the server has kept as they were sent, and those that it has changed at first. */
  readonly #kept = new Set<string>();
  readonly #own = new Set<string>();

  constructor(
    private readonly of: RecordRoots,
    private readonly run: Asker<Outcome>,
  ) {}

  async check(): Promise<void> {
    const { create, change } = this.of;
    const first = await this.create(this.run.sample(create), 'a record with everything');
    if (first === undefined) return;
    await this.#parents();
    for (const spoil of SPOILT) {
      const fresh = this.run.sample(create) ?? first.sent;
      const all = replaced(fresh, (name, value) => (ID.test(name) ? value : (spoil(value) ?? value)));
      if (await this.create(all, 'values that servers often spoil')) continue;
      // One of them was refused.
      for (const one of Object.keys(membersOf(fresh)).filter((name) => !ID.test(name))) {
        const spoilOne = (name: string, value: Json) => (name === one ? (spoil(value) ?? value) : value);
        const given = replaced(this.run.sample(create) ?? fresh, spoilOne);
        await this.create(given, `${one}: a value that servers often spoil`);
      }
    }
    await this.#defaults(first);
    if (change !== undefined) await this.#changes(change, first);
  }

  /** Creates a record, and compares it with what is read. */
  async create(given: Variables | undefined, about: string): Promise<Shown<Outcome> | undefined> {
    const asked = given && (await this.run.ask(this.of.create, given, about));
    const [record] = asked === undefined ? [] : recordsIn(asked.data, this.of.type);
    const read = record && (await this.read(record));
    if (asked === undefined || record === undefined) return undefined;
    if (read !== undefined) this.#compare(asked, record, read);
    return { ...asked, record };
  }

  async read({ id = null }: Entity): Promise<Shown<Outcome> | undefined> {
    const { read, type, named } = this.of;
    const asked = await this.run.ask(read, named(read, writtenValue(id)), 'the record');
    const [record] = asked === undefined ? [] : recordsIn(asked.data, type);
    return asked && record && { ...asked, record };
  }

  #compare(written: Asked<Outcome>, answered: Entity, { record, outcome }: Shown<Outcome>): void {
    for (const [name, sent] of Object.entries(membersOf(written.sent))) {
      const parent = record[name.replace(/_?id$/i, '')];
      const id = isEntity(parent) && isScalar(sent) ? parent['id'] : undefined;
      if (isEntity(parent) && id != null && writtenValue(id) !== writtenValue(sent)) {
        const message = `${name} was sent as ${JSON.stringify(sent)}, and the record has the parent ${JSON.stringify(parent['id'])}`;
        this.run.add('wrong-parent', message, outcome, [written.outcome]);
      }
      const now = record[name];
      if (OWN.test(name) || sent === null || now === undefined || isEntity(now) || this.#own.has(name))
        continue;
      const message = `${name} was sent as ${JSON.stringify(sent)}, and is read as ${JSON.stringify(now)}`;
      if (isSameValue(sent, now) && !(isScalar(sent) && now === null && sent !== '')) this.#kept.add(name);
      else if (this.#kept.has(name)) this.run.add('changed', message, outcome, [written.outcome]);
      else {
        this.#own.add(name);
        const decided = `${message}; the server may decide it, as it has never kept it`;
        this.run.add('changed', decided, outcome, [written.outcome], true);
      }
    }
    const changed = changedLeaf(answered, record, 'the answer of the mutation has');
    if (changed !== undefined) this.run.add('changed', changed, outcome, [written.outcome]);
  }

  /** Leaves out the members that have a default. */
  async #defaults({ sent }: Asked<Outcome>): Promise<void> {
    const { field } = this.of.create;
    const inputs = field.args.flatMap(({ type }) => {
      const named = getNamedType(type);
      return isInputObjectType(named) ? Object.values(named.getFields()) : [];
    });
    const optional = [...field.args, ...inputs].filter((each) => isScalar(defaultOf(each)));
    if (optional.length === 0) return;
    const fresh = this.run.sample(this.of.create) ?? sent;
    const names = optional.map(({ name }) => name);
    const given = replaced(fresh, (name, value) => (names.includes(name) ? undefined : value));
    const asked = await this.create(given, 'without defaults');
    for (const input of optional) {
      const [name, value] = [input.name, defaultOf(input)];
      const shown = asked?.record[name];
      if (asked === undefined || OWN.test(name) || !isScalar(shown) || shown === value) continue;
      const message = `${name} was left out, and is ${JSON.stringify(shown)}; its default is ${JSON.stringify(value)}`;
      this.run.add('changed', message, asked.outcome);
    }
  }

  /** Changes a record as a whole, one member of it, and sets members to null. */
  async #changes(change: RootField, first: Shown<Outcome>): Promise<void> {
    const { run, of } = this;
    const other = await this.create(run.sample(of.create), 'another record');
    const { id = null } = first.record;
    const isKey = (name: string): boolean =>
      name === 'id' || name.toLowerCase() === `${of.type.toLowerCase()}id`;
    const given = (): Variables =>
      replaced(run.sample(change) ?? {}, (name, value) => (isKey(name) ? id : value));
    const whole = await run.ask(change, given(), 'a change of the record');
    const after = whole && (await this.read(first.record));
    if (whole === undefined || after === undefined) return;
    this.#compare(whole, recordsIn(whole.data, of.type)[0] ?? {}, after);
    const beside = other && (await this.read(other.record));
    const how = 'before a change of another record it had';
    const spoilt = beside && changedLeaf(other.record, beside.record, how);
    if (beside !== undefined && spoilt !== undefined) {
      const message = `${spoilt}; the schema does not say that records are apart`;
      run.add('changed', message, beside.outcome, [whole.outcome], true);
    }
    const inputs = change.field.args.flatMap((argument): readonly (GraphQLArgument | GraphQLInputField)[] => {
      const named = getNamedType(argument.type);
      return isInputObjectType(named) ? Object.values(named.getFields()) : [argument];
    });
    const optional = inputs.filter((each) => !isRequired(each)).map(({ name }) => name);
    const free = optional.filter((name) => !isKey(name) && !ID.test(name));
    const only = (chosen: string, isNull = false): Variables =>
      replaced(given(), (name, value) =>
        name === chosen && isNull ? null : name === chosen || !free.includes(name) ? value : undefined,
      );
    const alone = free.slice(0, 2).map((each) => [each, false] as const);
    const cleared = free.slice(-4).map((each) => [each, true] as const);
    for (const [name, isNull] of [...alone, ...cleared]) {
      const before = await this.read(first.record);
      const part = before && (await run.ask(change, only(name, isNull), `${name} alone`));
      const now = part && (await this.read(first.record));
      if (now === undefined) continue;
      const isOther = (each: string): boolean =>
        !Object.hasOwn(membersOf(part?.sent ?? {}), each) && isScalar(before?.record[each]);
      const lost =
        changedLeaf(before?.record ?? {}, now.record, 'before a change of other members it had', isOther) ??
        Object.keys(before?.record ?? {}).find(
          (each) => isOther(each) && !OWN.test(each) && now.record[each] === null,
        );
      if (lost !== undefined) {
        const message = `${lost}; the schema does not say that members which are left out stay`;
        run.add('changed', message, now.outcome, [part?.outcome], true);
      }
      const [old, value] = [before?.record[name], now.record[name]];
      if (isNull && of.nullable.includes(name) && old != null && value != null && isSameValue(old, value)) {
        const message = `${name} was set to null, and keeps its value; the schema does not say what null means`;
        run.add('changed', message, now.outcome, [part?.outcome], true);
      }
    }
  }

  /** Creates records below two parents, asks for those of each, and creates one below a parent that does not exist. */
  async #parents(): Promise<void> {
    const { run } = this;
    const { create, type, children } = this.of;
    for (const [list, argument, member] of children) {
      const [parent, other] = run.ids(create.field, member).toReversed();
      if (parent === undefined || other === undefined) continue;
      const below = (id: string | number) => {
        const given = replaced(run.sample(create) ?? {}, (name, value) => (name === member ? id : value));
        return this.create(given, `a record with the ${member} ${String(id)}`);
      };
      const [child, sibling] = [await below(parent), await below(other)];
      const page = await run.ask(list, { [argument]: parent }, `the records of ${String(parent)}`);
      if (child === undefined || sibling === undefined || page === undefined) continue;
      const found = recordsIn(page.data, type).map(({ id }) => id);
      const before = [child.outcome, sibling.outcome];
      if (found.includes(sibling.record['id'])) {
        const message = `a ${type} with another ${member} is found below ${String(parent)}`;
        run.add('wrong-parent', message, page.outcome, before);
      }
      // A long list may be cut.
      if (found.length < FEW && !found.includes(child.record['id'])) {
        const message = `the ${type} that was created last is not found below its parent; the schema does not say whether all are`;
        run.add('wrong-list', message, page.outcome, before, true);
      }
      const nobody =
        typeof parent === 'number' ? 987_654_321 : parent.replaceAll(/[\da-f](?=[\da-f]*$)/gi, '9');
      if (run.ids(create.field, member).some((each) => String(each) === String(nobody))) continue;
      const lost = await below(nobody);
      if (lost !== undefined) {
        const message = `a ${type} was created with the ${member} ${String(nobody)}, which no answer has had; the schema does not say that it must exist`;
        run.add('wrong-parent', message, lost.outcome, [], true);
      }
    }
  }
}
