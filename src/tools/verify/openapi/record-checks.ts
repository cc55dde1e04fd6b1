/** Changes a resource of its own in several ways, and verifies what changes with it: its members, and its ETag. */

import type { Json } from '@concordat/runtime';
import type { OperationModel, ParameterModel } from 'concordat/contract';
import { type Entity, type Resource, isEntity } from '../../running/resources.js';
import { isMocked } from '../run/server.js';
import type { PathValues } from './named-resources.js';
import { OWN, changedMember, createdBy, isSameValue } from './read-back.js';
import { plainParts } from '../../running/plain-parts.js';
import { checkValues, stateOf } from './value-checks.js';
import { type Outcome, type Sender, statusOf } from './session.js';

/** A request about the resource: its body, and the value of its conditional header. */
interface Given {
  readonly body?: Json;
  readonly condition?: string;
}

const IF_MATCH = /^if-match$/i;
const CONDITION = /^if-(?:none-)?match$/i;

export class RecordChecks {
  #item: PathValues = [];
  #created: Outcome | undefined;

  constructor(
    private readonly resource: Resource,
    private readonly run: Sender,
  ) {}

  /** Creates a resource, and changes it. */
  async check(): Promise<void> {
    const { update, replace, remove } = this.resource;
    if ((await this.#create()) === undefined) return;
    if (update !== undefined) await this.#patches(update);
    if (replace !== undefined) await this.#replacements(replace);
    await this.#conditions([replace, update, remove]);
    if (this.#created !== undefined) await checkValues(this.#created, this.run);
  }

  /** @returns the state of a new resource; undefined if the server keeps none, or shows another form than the one that is sent */
  async #create(): Promise<Entity | undefined> {
    const { create } = this.resource;
    const parts = create && plainParts(create, true);
    this.#created = parts && (await this.run.attempt({ about: 'a resource to change', parts }, true));
    const values = this.#created?.isSuccess === true ? createdBy(this.#created) : undefined;
    if (this.#created === undefined || values === undefined || isMocked(this.#created.answer))
      return undefined;
    this.#item = values;
    const state = stateOf(await this.#read());
    const sent = this.#created.case.parts.body?.value;
    return isEntity(sent) && state && Object.keys(sent).some((name) => Object.hasOwn(state, name))
      ? state
      : undefined;
  }

  #read(condition?: string): Promise<Outcome | undefined> {
    return this.#send(this.resource.read, 'the resource', condition === undefined ? {} : { condition });
  }

  async #send(
    operation: OperationModel | undefined,
    about: string,
    { body, condition }: Given,
  ): Promise<Outcome | undefined> {
    const parts = operation && plainParts(operation, false);
    const media = operation?.requestBody?.content[0];
    if (operation === undefined || parts === undefined) return undefined;
    const parameter = condition === undefined ? undefined : conditionOf(operation);
    if (condition !== undefined && parameter === undefined) return undefined;
    const given = parts.parameters.filter((each) => each.parameter !== parameter);
    const parameters = parameter === undefined ? given : [...given, { parameter, value: condition ?? '' }];
    const shown = body ?? parts.body?.value;
    const written = media !== undefined && shown !== undefined && { body: { media, value: shown } };
    const sent = { ...parts, parameters, ...written };
    const outcome = await this.run.send({ about, parts: sent, ...(parameter && { parameter }) }, this.#item);
    if (outcome === undefined || 'refusal' in outcome.expected) return undefined;
    await this.run.see(outcome, true);
    return outcome;
  }

  #found(
    rule: 'changed' | 'wrong-etag',
    message: string,
    shown: Outcome,
    before: readonly (Outcome | undefined)[],
    isUncertain = false,
  ): void {
    const { id } = shown.case.parts.operation;
    const led = [this.#created, ...before].filter((each) => each !== undefined);
    const key = `${rule} ${id} ${message.replaceAll(/"[^"]*"|\d+/g, '')}`;
    this.run.add(key, { rule, message, isUncertain }, shown, led);
  }

  /** Patches one member after another, two at once, and removes one. */
  async #patches(update: OperationModel): Promise<void> {
    const sample = plainParts(update, true)?.body?.value;
    const media = update.requestBody?.content[0]?.mediaType ?? '';
    if (!isEntity(sample) || !/[/+]json$/.test(media)) return;
    const isMerge = media === 'application/merge-patch+json';
    const names = Object.keys(sample).filter((name) => !OWN.test(name));
    const pick = (...chosen: readonly (string | undefined)[]): Entity =>
      Object.fromEntries(Object.entries(sample).filter(([name]) => chosen.includes(name)));
    const inner = names.find((name) => isEntity(sample[name]) && Object.keys(sample[name]).length > 1);
    const list = names.find((name) => Array.isArray(sample[name]));
    const [part] = Object.entries(inner === undefined ? {} : (sample[inner] as Entity));
    const bodies = [
      pick(names.find((name) => !isEntity(sample[name]) && !Array.isArray(sample[name]))),
      pick(...names.slice(-2)),
      ...(list === undefined ? [] : [pick(list)]),
      ...(inner === undefined || part === undefined ? [] : [{ [inner]: { [part[0]]: part[1] } }]),
      ...names.slice(-6).map((name) => ({ [name]: null })),
    ];
    for (const body of bodies.filter((each) => Object.keys(each).length > 0)) {
      const before = stateOf(await this.#read());
      const patched = before && (await this.#send(update, 'a part of the resource', { body }));
      if (patched?.isSuccess !== true) continue;
      const read = await this.#read();
      const after = stateOf(read);
      if (read === undefined || before === undefined || after === undefined) return;
      this.#comparePatch(body, before, after, { isMerge, shown: read, patched });
    }
  }

  #comparePatch(
    body: Entity,
    before: Entity,
    after: Entity,
    patch: { readonly isMerge: boolean; readonly shown: Outcome; readonly patched: Outcome },
  ): void {
    const { isMerge, shown, patched } = patch;
    const others = (name: string): boolean => !Object.hasOwn(body, name);
    const lost = Object.keys(before).find(
      (name) => others(name) && !OWN.test(name) && before[name] !== null && (after[name] ?? null) === null,
    );
    const changed =
      lost !== undefined
        ? `${lost} is not read after a patch of other members`
        : changedMember(before, after, 'before a patch of other members it has', others);
    const reason = isMerge ? '' : ', but its media type does not say that others stay';
    if (changed !== undefined) this.#found('changed', changed + reason, shown, [patched], !isMerge);
    if (!isMerge) return;
    for (const [name, value] of Object.entries(body)) {
      const [old, now] = [before[name], after[name]];
      if (value === null && old != null && now != null && isSameValue(old, now))
        this.#found('changed', `${name} was patched to null, and keeps its value`, shown, [patched]);
      if (!isEntity(value) || !isEntity(old) || !isEntity(now)) continue;
      const present = Object.keys(old).filter((each) => !Object.hasOwn(value, each) && old[each] !== null);
      const gone = present.find((each) => (now[each] ?? null) === null);
      if (gone === undefined) continue;
      const message = `${name}/${gone} is not read after a patch of another member of ${name}`;
      this.#found('changed', message, shown, [patched]);
    }
  }

  /** Replaces the resource by one with the required members alone. */
  async #replacements(replace: OperationModel): Promise<void> {
    const [full, small] = [true, false].map((each) => plainParts(replace, each)?.body?.value);
    if (!isEntity(full) || !isEntity(small)) return;
    const first = await this.#send(replace, 'the whole resource', { body: full });
    const before = stateOf(await this.#read());
    if (first?.isSuccess !== true) return;
    const replaced = await this.#send(replace, 'the resource with less', { body: small });
    const read = replaced?.isSuccess === true ? await this.#read() : undefined;
    const after = stateOf(read);
    if (read === undefined || before === undefined || after === undefined) return;
    const sent = first.case.parts.body?.value;
    const kept = Object.entries(isEntity(sent) ? sent : {}).find(
      // Values such as false and 0 may be defaults.
      ([name, value]) =>
        !Object.hasOwn(small, name) &&
        !OWN.test(name) &&
        typeof value === 'string' &&
        value !== full[name] &&
        stateOf(this.#created)?.[name] !== value &&
        before[name] === value &&
        after[name] === value,
    );
    if (kept === undefined) return;
    const message = `${kept[0]} was left out of a replacement, and keeps its value; PUT replaces the whole (RFC 9110 §9.3.4), but the contract may give a default`;
    this.#found('changed', message, read, [first, replaced], true);
  }

  /** Sends the ETags that the server gives, before and after a change. */
  async #conditions(changes: readonly (OperationModel | undefined)[]): Promise<void> {
    const first = await this.#read();
    const tag = tagOf(first);
    if (first === undefined || tag === undefined) return;
    if (!/^(?:W\/)?"[^"]*"$/.test(tag))
      this.#found('wrong-etag', `the ETag ${tag} is not quoted (RFC 9110 §8.8.3)`, first, []);
    const same = await this.#read(tag);
    if (same?.isSuccess === true && tagOf(same) === tag) {
      const message = `If-None-Match with the current ETag is answered by ${statusOf(same)}`;
      this.#found('wrong-etag', message, same, [first]);
    }
    const [replace, update] = changes;
    const change = update ?? replace;
    const body = change && plainParts(change, true)?.body?.value;
    const changed = change && body !== undefined ? await this.#send(change, 'a change', { body }) : undefined;
    if (changed?.isSuccess !== true) return;
    const second = await this.#read();
    const other = second && tagOf(second);
    if (second === undefined || other === undefined) return;
    const isChanged = JSON.stringify(stateOf(first)) !== JSON.stringify(stateOf(second));
    if (tag === other && isChanged)
      this.#found('wrong-etag', 'it was changed, and its ETag stays the same', second, [first, changed]);
    if (tag === other) return;
    const old = await this.#read(tag);
    if (old !== undefined && 'status' in old.answer && old.answer.status === 304) {
      const message = 'it was changed, and If-None-Match with its old ETag is answered by 304';
      this.#found('wrong-etag', message, old, [first, changed]);
    }
    const current = await this.#send(change, 'a change of the current resource', { condition: other });
    if (current !== undefined && 'status' in current.answer && current.answer.status === 412)
      this.#found('wrong-etag', 'If-Match with the current ETag is answered by 412', current, [second]);
    for (const each of changes) {
      if (each === undefined || !each.parameters.some(({ name }) => IF_MATCH.test(name))) continue;
      const stale = await this.#send(each, 'a change of an old resource', { condition: tag });
      if (stale?.isSuccess !== true) continue;
      const message = `If-Match with an old ETag is answered by ${statusOf(stale)}`;
      this.#found('wrong-etag', message, stale, [first, changed]);
    }
  }
}

function conditionOf({ method, parameters }: OperationModel): ParameterModel | undefined {
  const pattern = method === 'GET' ? CONDITION : IF_MATCH;
  return parameters.find((each) => each.in === 'header' && pattern.test(each.name));
}

function tagOf(outcome: Outcome | undefined): string | undefined {
  const { answer } = outcome ?? {};
  const tag = answer && 'headers' in answer ? answer.headers['etag'] : undefined;
  return typeof tag === 'string' ? tag : undefined;
}
