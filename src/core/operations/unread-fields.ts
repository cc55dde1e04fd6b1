/** Finds the fields of a request that an application's contract adds and that a handler of the core does not read. */

import type { RestContract } from '@concordat/runtime';
import { contract } from '../../../generated/routing.js';

/** The handlers of the core, with their operations: one that an application wraps or replaces is another function. */
const handlers = new WeakMap<object, string>();

/** Remembers the handlers of the core. */
export function remembered<Handlers extends object>(operations: Handlers): Handlers {
  for (const [id, handler] of Object.entries(operations)) handlers.set(handler as object, id);
  return operations;
}

/**
 * Refuses a contract with a field that would be lost.
 *
 * @throws an error that names the handler and the field
 */
export function requireReadFields(extended: Pick<RestContract, 'operations'>, operations: object): void {
  const core: Pick<RestContract, 'operations'> = contract;
  for (const [id, handler] of Object.entries(operations)) {
    const own = handlers.get(handler as object);
    if (own === undefined) continue;
    const read = fieldsOf(core, own);
    const lost = [...fieldsOf(extended, id)].find((field) => !read.has(field));
    if (lost !== undefined) {
      throw new Error(
        `${id}: the handler of the core does not read ${lost}; replace the handler, or leave the field out`,
      );
    }
  }
}

/** The parameters and the fields of the bodies of an operation, at any depth. */
function fieldsOf({ operations }: Pick<RestContract, 'operations'>, id: string): ReadonlySet<string> {
  const { parameters = [], requestBody } = operations[id] ?? {};
  const found = new Set(parameters.map((parameter) => `${parameter.in}/${parameter.name}`));
  for (const body of Object.values(requestBody?.content ?? {})) {
    const check = 'check' in body ? body.check : undefined;
    addFields(check, 'body', found, new Set());
  }
  return found;
}

/** Keywords whose values are data. */
const DATA = new Set(['enum', 'const', 'default']);

/** @param around - the schemas that lead to this one, which a recursive schema would follow for ever */
function addFields(schema: unknown, place: string, found: Set<string>, around: ReadonlySet<unknown>): void {
  if (around.has(schema)) return;
  const inside = new Set(around).add(schema);
  if (typeof schema === 'function') {
    const { schema: describe } = schema as { readonly schema?: () => unknown };
    addFields(describe?.(), place, found, inside);
  } else if (typeof schema === 'object' && schema !== null) {
    for (const [keyword, value] of Object.entries(schema)) {
      if (keyword === 'properties') {
        for (const [name, property] of Object.entries(value as object)) {
          found.add(`${place}/${name}`);
          addFields(property, `${place}/${name}`, found, inside);
        }
      } else if (!DATA.has(keyword)) addFields(value, place, found, inside);
    }
  }
}
