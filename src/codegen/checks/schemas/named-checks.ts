/** Finds the checks of component schemas: a component is checked as a request carries it if a request leads to it, else as a response does. */

import type { SchemaNode } from '../../contract/schemas/contract-schemas.js';
import { isObject } from '../../contract/schemas/document.js';
import { camelCase, freeIdentifier } from '../../text/identifiers.js';
import { componentOf } from '../../text/pointer.js';
import { referredIds } from '../compiler/linked-schema.js';
import type { Normaliser } from './normalise.js';
import { type Root, isSmall, reachableParts } from './units.js';

/** A check of a component, with the name of its export in the module of its direction or, if it is apart, of its function. */
export type NamedCheck = Pick<Root, 'name' | 'direction'> & NonNullable<Root['named']>;

/**
 * The checks of the components that requested checks lead to.
 *
 * @param taken - the names of the requested checks
 */
export function namedChecks(
  normaliser: Normaliser,
  components: readonly SchemaNode[],
  requested: readonly Root[],
  taken: readonly string[],
): readonly Root[] {
  // A form without its files is not what the component describes.
  const whole = normaliser.units.filter(({ mode }) => mode.files.length === 0);
  const units = new Map(whole.map((unit) => [unit.at, unit]));
  const sent = requested.filter(({ direction }) => direction === 'request');
  const ids = sent.flatMap(({ schema }) => [...referredIds(schema)]);
  const inRequests = new Set(reachableParts(normaliser.units, ids).map(({ at }) => at));
  const names = new Set(taken);
  return components.flatMap((node) => {
    const { at } = node;
    const unit = units.get(at);
    if (unit === undefined) return [];
    const component = componentOf(at) ?? '';
    // The direction makes no difference to a small schema.
    const direction = inRequests.has(at) || isSmall(unit.schema) ? 'request' : 'response';
    const known = requested.find((root) => root.at === at && root.direction === direction);
    const schema = normaliser.root(node, direction);
    const id = isObject(schema) ? schema['$ref'] : undefined;
    const defaults = normaliser.units.some((each) => each.id === id && each.mode.defaults);
    const isApart = known === undefined && isSmall(schema);
    const named = { component, defaults, isApart, isExported: known === undefined && !isApart };
    const name = known?.name ?? freeIdentifier(`${camelCase(component)}Schema`, names);
    return [{ name, about: `${component}, as a ${direction} carries it`, at, direction, schema, named }];
  });
}
