/** Draws the component schemas of a document: ordinary ones, families with a discriminator, and shapes that are large or recursive. */

import type { SchemaDrawer, SchemaObject } from './draw-schema.js';
import { pointerToken } from './names.js';

export type Form = 'object' | 'enum' | 'allOf' | 'union' | 'list' | 'scalar' | 'map' | 'family';

/** The forms of components, as often as they are drawn. */
const FORMS: readonly Form[] = [
  ...Array<Form>(11).fill('object'),
  ...(['enum', 'enum', 'allOf', 'allOf', 'union', 'list', 'scalar', 'map', 'family', 'family'] as const),
];

export const drawForm = (pick: (forms: readonly Form[]) => Form | undefined): Form => pick(FORMS) ?? 'object';

/** The schema of a component. */
export function drawComponent(drawer: SchemaDrawer, at: number, form: Form): SchemaObject {
  const { random } = drawer;
  const depth = random.whole(0, 3);
  const some = <T>(make: () => T): readonly T[] => Array.from({ length: random.size(8) }, make);
  switch (form) {
    case 'object':
      return drawer.object(at, depth);
    case 'enum':
    case 'scalar':
      return drawer.scalar();
    case 'allOf':
      return { allOf: [drawer.laterObject(at), drawer.object(at, depth)] };
    case 'union':
      return { [random.pick(['anyOf', 'anyOf', 'oneOf'])]: some(() => drawer.later(at)) };
    case 'list':
      return drawer.list(at, depth);
    case 'map':
      return { type: 'object', additionalProperties: drawer.member(at, depth) };
    case 'family':
      return family(drawer, at, depth);
  }
}

/** Alternatives that a member tells apart, with a mapping, with a part of one, or without. */
function family(drawer: SchemaDrawer, at: number, depth: number): SchemaObject {
  const { random, version } = drawer;
  const propertyName = random.chance(0.7) ? 'kind' : drawer.names.any();
  const taken = new Set<string>();
  const kinds = Array.from({ length: Math.max(2, random.size(12)) }, () => drawer.names.draw(taken));
  const alternatives = kinds.map((kind) => {
    const own = drawer.object(at, depth);
    const { properties, required = [] } = own as { properties: object; required?: readonly string[] };
    const one = version === '3.0' || random.chance(0.3) ? { type: 'string', enum: [kind] } : { const: kind };
    return {
      ...own,
      properties: { ...properties, ...Object.fromEntries([[propertyName, one]]) },
      required: [...new Set([...required, propertyName])],
    };
  });
  return {
    [random.pick(['oneOf', 'anyOf'])]: alternatives,
    ...(random.chance(0.1) && { discriminator: { propertyName } }),
  };
}

/** A base and those that extend it by `allOf`, or alternatives with names of their own. @returns components by name */
export function drawFamily(drawer: SchemaDrawer, prefix: string): Readonly<Record<string, SchemaObject>> {
  const { random, names } = drawer;
  const taken = new Set<string>();
  const kinds = Array.from({ length: Math.max(2, random.size(10)) }, () => names.draw(taken));
  const nameOf = (kind: string): string => `${prefix}${kind}`;
  const reference = (name: string): SchemaObject => ({ $ref: `#/components/schemas/${pointerToken(name)}` });
  const propertyName = random.pick(['kind', 'type', 'object_type']);
  const mapping = Object.fromEntries(kinds.map((kind) => [kind, reference(nameOf(kind))['$ref']]));
  const isMapped = random.chance(0.6);
  const discriminator = { propertyName, ...(isMapped && { mapping }) };
  const text = (kind: string): SchemaObject =>
    random.chance(0.5) ? { type: 'string', enum: [isMapped ? kind : nameOf(kind)] } : { type: 'string' };
  if (random.chance(0.5)) {
    const base = {
      type: 'object',
      required: [propertyName],
      properties: { [propertyName]: { type: 'string' } },
      discriminator,
    };
    const own = kinds.map(
      (kind) => [nameOf(kind), { allOf: [reference(`${prefix}Base`), drawer.object(-1, 1)] }] as const,
    );
    return { [`${prefix}Base`]: base, ...Object.fromEntries(own) };
  }
  const own = kinds.map((kind) => {
    const { properties, ...object } = drawer.object(-1, 1) as {
      properties: object;
      required?: readonly string[];
    };
    return [
      nameOf(kind),
      {
        ...object,
        properties: { ...properties, [propertyName]: text(kind) },
        required: [...new Set([...(object.required ?? []), propertyName])],
      },
    ] as const;
  });
  const union = { oneOf: kinds.map((kind) => reference(nameOf(kind))), discriminator };
  return { [`${prefix}Union`]: union, ...Object.fromEntries(own) };
}

/** How a component refers to another, for a keyword. @param isSame - whether it describes the same value */
const REFERENCES: Readonly<
  Record<string, { isSame?: true; is31?: true; of: (other: SchemaObject, name: string) => SchemaObject }>
> = {
  properties: { of: (other, name) => ({ properties: { [name]: other } }) },
  items: { of: (other, name) => ({ properties: { [name]: { type: 'array', items: other } } }) },
  additionalProperties: {
    of: (other, name) => ({ properties: { [name]: { additionalProperties: other } } }),
  },
  allOf: { isSame: true, of: (other) => ({ allOf: [other] }) },
  anyOf: { isSame: true, of: (other) => ({ anyOf: [other, { type: 'string' }] }) },
  oneOf: { isSame: true, of: (other) => ({ oneOf: [{ allOf: [other], required: ['never'] }, {}] }) },
  not: { isSame: true, of: (other) => ({ not: { allOf: [other], required: ['never'] } }) },
  patternProperties: { is31: true, of: (other, name) => ({ patternProperties: { [`^${name}_`]: other } }) },
  prefixItems: { is31: true, of: (other, name) => ({ properties: { [name]: { prefixItems: [other] } } }) },
  contains: {
    is31: true,
    of: (other, name) => ({ properties: { [name]: { contains: other, minContains: 0 } } }),
  },
  if: { is31: true, isSame: true, of: (other) => ({ if: { required: ['never'] }, then: other }) },
  dependentSchemas: { is31: true, isSame: true, of: (other) => ({ dependentSchemas: { never: other } }) },
  unevaluatedItems: {
    is31: true,
    of: (other, name) => ({ properties: { [name]: { unevaluatedItems: other } } }),
  },
  $dynamicRef: { is31: true, of: ({ $ref }, name) => ({ properties: { [name]: { $dynamicRef: $ref } } }) },
};

/** A complete graph: each component has each other one, by one keyword or by any. @returns components by name */
export function drawGraph(drawer: SchemaDrawer, most: number): Readonly<Record<string, SchemaObject>> {
  const { random, version } = drawer;
  const fit = Object.keys(REFERENCES).filter((each) => version !== '3.0' || REFERENCES[each]?.is31 !== true);
  const keyword = random.chance(0.7) ? random.pick(fit) : undefined;
  const count = random.whole(2, most);
  const nameOf = (index: number): string => `Graph${String(index)}`;
  const all = Array.from({ length: count }, (_, index) => index);
  return Object.fromEntries(
    all.map((index) => {
      const parts = all.flatMap((other): readonly SchemaObject[] => {
        const form = REFERENCES[keyword ?? random.pick(fit) ?? 'properties'];
        // A schema that leads back to itself for the same value has no meaning.
        if (form === undefined || other === index || (other < index && form.isSame === true)) return [];
        return [form.of({ $ref: `#/components/schemas/${nameOf(other)}` }, `g${String(other)}`)];
      });
      return [nameOf(index), merged({ type: 'object', properties: { id: { type: 'string' } } }, parts)];
    }),
  );
}

/** One schema of several, whose maps and lists are put together; of what cannot be, the others are in `allOf`. */
function merged(first: SchemaObject, others: readonly SchemaObject[]): SchemaObject {
  const whole: Record<string, unknown> = { ...first };
  for (const part of others) {
    for (const [keyword, value] of Object.entries(part)) {
      const known = whole[keyword];
      if (Array.isArray(known) && Array.isArray(value) && keyword === 'allOf')
        whole[keyword] = [...(known as unknown[]), ...(value as unknown[])];
      else if (keyword.endsWith('roperties') && typeof known === 'object')
        whole[keyword] = { ...known, ...(value as object) };
      else if (known === undefined) whole[keyword] = value;
      else whole['allOf'] = [...((whole['allOf'] as readonly unknown[] | undefined) ?? []), part];
    }
  }
  return whole;
}

/** Components that are large in one way. @returns components by name */
export function drawLarge(drawer: SchemaDrawer): Readonly<Record<string, SchemaObject>> {
  const { random } = drawer;
  const size = random.chance(0.1) ? random.whole(500, 2000) : random.whole(20, 200);
  const each = <T>(make: (index: number) => T): readonly T[] =>
    Array.from({ length: size }, (_, index) => make(index));
  const text = { type: 'string' };
  const draw = random.whole(0, 5);
  if (draw === 0)
    return {
      Wide: { type: 'object', properties: Object.fromEntries(each((index) => [`p${String(index)}`, text])) },
    };
  if (draw === 1) return { Many: { type: 'string', enum: each((index) => `v${String(index)}`) } };
  if (draw === 2) {
    const nest = (depth: number): SchemaObject =>
      depth === 0
        ? text
        : random.chance(0.5)
          ? { type: 'object', properties: { a: nest(depth - 1) } }
          : { type: 'array', items: nest(depth - 1) };
    // Each level of a schema is two of the document, which may have 400.
    return { Deep: nest(Math.min(size, 150)) };
  }
  if (draw === 3)
    return Object.fromEntries(
      each((index) => [
        `Chain${String(index)}`,
        index === size - 1
          ? text
          : {
              type: 'object',
              properties: { next: { $ref: `#/components/schemas/Chain${String(index + 1)}` } },
            },
      ]),
    );
  if (draw === 4)
    return {
      Union: {
        oneOf: each((index) => ({
          type: 'object',
          required: ['kind'],
          properties: { kind: { enum: [`k${String(index)}`] }, [`p${String(index)}`]: text },
        })),
      },
    };
  return {
    Required: {
      type: 'object',
      required: each((index) => `p${String(index)}`),
      properties: Object.fromEntries(each((index) => [`p${String(index)}`, text])),
    },
  };
}
