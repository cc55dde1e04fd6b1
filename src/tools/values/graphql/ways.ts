/** Finds the way to each type of a schema: the fields that lead to it from a root. */

import {
  type GraphQLField,
  type GraphQLSchema,
  OperationTypeNode,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
} from 'graphql';
import type { Draft } from './operation-draft.js';

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

/** The steps from a root type to a type; empty for the root type itself. */
export interface Way {
  readonly kind: `${OperationTypeNode}`;
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

/**
 * The shortest way to each type with fields, by its name; through queries if possible.
 *
 * @param roots - the fields that a way may begin with
 */
export function waysOf(schema: GraphQLSchema, roots: readonly RootField[]): ReadonlyMap<string, Way> {
  const ways = new Map<string, Way>();
  for (const kind of Object.values(OperationTypeNode)) {
    const own = roots.filter((root) => root.kind === (kind as string));
    const waiting = own.map(({ field }) => ({
      name: getNamedType(field.type).name,
      way: { kind, steps: [{ field }] as readonly Step[] },
    }));
    const name = schema.getRootType(kind)?.name;
    if (name !== undefined && own.length > 0 && !ways.has(name)) ways.set(name, { kind, steps: [] });
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { name: reached, way } = next;
      const type = schema.getType(reached);
      if (ways.has(reached) || !isCompositeType(type)) continue;
      ways.set(reached, way);
      const reach = (to: string, step: Step): void => {
        waiting.push({ name: to, way: { kind, steps: [...way.steps, step] } });
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

/** Writes the selection of a root type that leads to a type. @returns undefined if an argument on the way has no value */
export function textOfWay({ steps }: Way, inner: string, draft: Draft): string | undefined {
  let text = inner;
  for (const step of steps.toReversed()) {
    if ('on' in step) text = `__typename ... on ${step.on} { ${text} }`;
    else {
      const values = draft.arguments(step.field);
      if (values === undefined) return undefined;
      text = `${step.field.name}${values} { ${text} }`;
    }
  }
  return text;
}
