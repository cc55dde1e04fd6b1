/** Finds the property that tells the members of a union apart, where no discriminator names one. */

import type { ContractSchemas, Placed } from '../schemas/contract-schemas.js';
import { elements, entries, isObject } from '../schemas/document.js';

/** A property whose values tell members apart, and the values of each member. */
export interface Tag {
  readonly property: string;
  readonly values: readonly (readonly string[])[];
}

/** The first property that every member requires to be one of some texts, none of which another member allows. */
export function tagOf(schemas: ContractSchemas, members: readonly Placed[]): Tag | undefined {
  const [first = new Map<string, readonly string[]>(), ...others] = members.map((member) =>
    tagsOf(schemas, member),
  );
  for (const [property, own] of first) {
    const values = [own, ...others.map((tags) => tags.get(property) ?? [])];
    const all = values.flat();
    if (values.every(({ length }) => length > 0) && new Set(all).size === all.length)
      return { property, values };
  }
  return undefined;
}

/** The required properties of a schema that are texts of a list. */
function tagsOf(schemas: ContractSchemas, member: Placed): ReadonlyMap<string, readonly string[]> {
  const certain = [...schemas.certainly(member)].map(({ schema }) => schema);
  const required = new Set(certain.flatMap((schema) => elements(schema['required'])));
  const tags = certain
    .flatMap((schema) => entries(schema['properties']))
    .flatMap(([name, described]): [string, readonly string[]][] => {
      if (!required.has(name) || !isObject(described)) return [];
      const values = 'const' in described ? [described['const']] : elements(described['enum']);
      const texts = values.filter((value) => typeof value === 'string');
      return texts.length > 0 && texts.length === values.length ? [[name, texts]] : [];
    });
  return new Map(tags);
}
