/** Finds the way to each type of a schema: the fields that lead to it from a root. */

import {
  type GraphQLField,
  type GraphQLSchema,
  type OperationTypeNode,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
} from 'graphql';
import type { Draft } from './draft.js';

type Field = GraphQLField<unknown, unknown>;

/** A field of a root type. */
export interface RootField {
  /** Its schema coordinate: `Query.users`. */
  readonly id: string;
  readonly kind: `${OperationTypeNode}`;
  readonly field: Field;
}

/** A field to select, or a type to narrow to. */
type Step = { readonly field: Field } | { readonly on: string };

/** How a type is reached. */
export interface Way {
  readonly root: RootField;
  /** Those below the root. */
  readonly steps: readonly Step[];
}

export function rootFieldsOf(schema: GraphQLSchema): readonly RootField[] {
  const roots = [
    ['query', schema.getQueryType()],
    ['mutation', schema.getMutationType()],
    ['subscription', schema.getSubscriptionType()],
  ] as const;
  return roots.flatMap(([kind, type]) =>
    Object.values(type?.getFields() ?? {}).map((field) => ({
      id: `${type?.name ?? ''}.${field.name}`,
      kind,
      field,
    })),
  );
}

/** The shortest way to each object type, by its name; one through queries where there is one. */
export function waysOf(schema: GraphQLSchema, roots: readonly RootField[]): ReadonlyMap<string, Way> {
  const ways = new Map<string, Way>();
  for (const wanted of ['query', 'mutation'] as const) {
    const waiting = roots
      .filter(({ kind }) => kind === wanted)
      .map((root) => ({
        name: getNamedType(root.field.type).name,
        way: { root, steps: [] as readonly Step[] },
      }));
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { name, way } = next;
      const type = schema.getType(name);
      if (ways.has(name) || !isCompositeType(type)) continue;
      ways.set(name, way);
      const reach = (to: string, step: Step): void => {
        waiting.push({ name: to, way: { ...way, steps: [...way.steps, step] } });
      };
      if (isAbstractType(type)) {
        for (const possible of schema.getPossibleTypes(type)) reach(possible.name, { on: possible.name });
      }
      if (isObjectType(type) || isInterfaceType(type)) {
        for (const field of Object.values(type.getFields())) reach(getNamedType(field.type).name, { field });
      }
    }
  }
  return ways;
}

/** Writes the selection of the root that leads to a type. @returns undefined where an argument on the way has no value */
export function textOfWay({ root, steps }: Way, inner: string, draft: Draft): string | undefined {
  const all: readonly Step[] = [{ field: root.field }, ...steps];
  let text = inner;
  for (const step of all.toReversed()) {
    if ('on' in step) text = `__typename ... on ${step.on} { ${text} }`;
    else {
      const values = draft.arguments(step.field);
      if (values === undefined) return undefined;
      text = `${step.field.name}${values} { ${text} }`;
    }
  }
  return text;
}
