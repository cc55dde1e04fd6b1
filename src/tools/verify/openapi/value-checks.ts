/** Creates resources with values that servers often spoil, and with and without members that a server sets by itself. */

import type { Json } from '@concordat/runtime';
import type { SchemaObject } from 'concordat/contract';
import { type Entity, isEntity } from '../../running/resources.js';
import { partsOf } from '../../values/document-parts.js';
import { flattened } from '../../values/inner-parts.js';
import type { RequestParts } from '../../running/wire-request.js';
import { bodyOf } from './named-resources.js';
import { isScalar } from './read-back.js';
import { plainParts } from '../../running/plain-parts.js';
import { withBody } from './request-cases.js';
import type { Outcome, Sender } from './session.js';

/** The most values that are tried. */
const MOST_VALUES = 12;

/** @param created - a resource that was created with all members */
export async function checkValues(created: Outcome, run: Sender): Promise<void> {
  const parts = plainParts(created.case.parts.operation, true);
  const sample = parts?.body?.value;
  const fresh = created.case.parts.body?.value;
  if (parts?.body === undefined || !isEntity(sample) || !isEntity(fresh)) return;
  const tried = Object.entries(sample).flatMap(([name, value]) =>
    spoilt(value, value !== fresh[name]).map((each) => [name, each] as const),
  );
  for (const [name, value] of tried.slice(0, MOST_VALUES)) {
    const about = `body.${name}: a value that servers often spoil`;
    const spoiled = withBody(parts, { ...sample, [name]: value });
    const outcome = await run.send({ about, parts: spoiled, bodyPath: [name] });
    // What the contract refuses tests nothing here.
    if (outcome !== undefined && !('refusal' in outcome.expected)) await run.see(outcome, false);
  }
  await serverValues(created, parts, run);
}

/** @param isFree - whether the contract takes another value in place of this one */
function spoilt(value: Json, isFree: boolean): readonly Json[] {
  if (typeof value === 'number') return [1234.56789, 3_000_000_000];
  if (Array.isArray(value)) return typeof value[0] === 'string' ? [['beta', 'alpha', 'gamma']] : [];
  const isWord = typeof value === 'string' && isFree && /^\w*$/.test(value);
  return isWord ? [`Text ${value} <b>Ünï & "Co"</b> 😀`] : [];
}

/** Creates a resource without the members that have a default, and with those that only the server sets. */
async function serverValues(created: Outcome, parts: RequestParts, run: Sender): Promise<void> {
  const small = plainParts(parts.operation, false)?.body?.value;
  if (!isEntity(small)) return;
  type Member = readonly [string, SchemaObject];
  const schemas = flattened(partsOf(parts.body?.media)).map(({ schema }) => schema.properties ?? {});
  const members = schemas.flatMap((each) => Object.entries(each)) as readonly Member[];
  const add = (message: string, shown: Outcome): void => {
    run.add(`changed ${parts.operation.id} ${shown.case.about}`, { rule: 'changed', message }, shown);
  };
  const plain = await run.send({ about: 'without defaults', parts: withBody(parts, small) });
  const shown = stateOf(plain);
  const isOther = ([name, { default: value }]: Member): boolean =>
    !Object.hasOwn(small, name) && isScalar(value) && isScalar(shown?.[name]) && shown?.[name] !== value;
  const [name, schema] = members.find(isOther) ?? [];
  const byDefault = `its default is ${JSON.stringify(schema?.default)}`;
  if (plain !== undefined && name !== undefined)
    add(`${name} was left out, and is ${JSON.stringify(shown?.[name])}; ${byDefault}`, plain);
  const sample = stateOf(created) ?? {};
  const own = members.flatMap(([each, { readOnly }]) => {
    const value = sample[each];
    if (readOnly !== true || !isScalar(value)) return [];
    return [[each, typeof value === 'string' ? value.replaceAll(/\d/g, '1') : 987_654] as const];
  });
  if (own.length === 0) return;
  const given = withBody(parts, { ...small, ...(Object.fromEntries(own) as Entity) });
  const about = 'with members that only the server sets';
  const outcome = await run.send({ about, parts: given, isExact: true });
  const taken = own.find(([each, value]) => sample[each] !== value && stateOf(outcome)?.[each] === value);
  if (outcome !== undefined && taken !== undefined)
    add(`${taken[0]} is readOnly, and the server took ${JSON.stringify(taken[1])} from the request`, outcome);
}

/** The state of a resource that a success shows. */
export function stateOf(outcome: Outcome | undefined): Entity | undefined {
  const body = outcome?.isSuccess === true ? bodyOf(outcome.answer) : undefined;
  return isEntity(body) ? body : undefined;
}
