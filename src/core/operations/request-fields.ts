/** The fields of the requests of an operation, by which a contract that adds one unread by the core is refused. */

import type { RestContract } from '@concordat/runtime';

type Contract = Pick<RestContract, 'operations'>;

/** The parameters and the fields of the bodies of an operation, at any depth. */
export function requestFieldsOf({ operations }: Contract, id: string): ReadonlySet<string> {
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
