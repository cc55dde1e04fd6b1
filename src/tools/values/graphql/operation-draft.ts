/** Writes the text of a GraphQL operation: its selections, the way from a root to a type, and variables or literals for its arguments. */

import type { Json } from '@concordat/runtime';
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  OperationTypeNode,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  isRequiredArgument,
  print,
} from 'graphql';
import { exampleInput, literalOf } from './sample-values.js';

/** What an operation needs to know of a field. */
export type Field = Pick<GraphQLField<unknown, unknown>, 'name' | 'args' | 'type'>;

/** Servers that limit documents refuse larger ones. */
const MOST_FIELDS = 150;
/** The maximum number of types that are selected from a union or an interface. */
const MOST_TYPES = 12;

export class Draft {
  readonly variables: Record<string, Json> = {};
  readonly #definitions: string[] = [];
  #left = MOST_FIELDS;

  /** @param values - how the values of arguments are written */
  constructor(
    private readonly schema: GraphQLSchema,
    private readonly values: 'variables' | 'literals' = 'variables',
  ) {}

  /** `($id: ID!)`; empty without variables. */
  get definitions(): string {
    return this.#definitions.length === 0 ? '' : `(${this.#definitions.join(', ')})`;
  }

  /**
   * Declares a variable.
   *
   * @param value - undefined for a variable without a value
   * @returns `$id`
   */
  variable(wanted: string, type: string, value: Json | undefined): string {
    let name = wanted;
    for (let next = 2; this.#definitions.some((each) => each.startsWith(`$${name}:`)); next += 1)
      name = `${wanted}${next}`;
    this.#definitions.push(`$${name}: ${type}`);
    if (value !== undefined) this.variables[name] = value;
    return `$${name}`;
  }

  /**
   * The arguments of a field: the required ones or all, and the given ones.
   *
   * @returns undefined if a required argument has no value
   */
  arguments(
    { args }: Pick<Field, 'args'>,
    full = false,
    given: Readonly<Record<string, Json>> = {},
  ): string | undefined {
    const texts: string[] = [];
    for (const argument of args) {
      const value = given[argument.name] ?? this.#valueOf(argument, full, argument.name in given);
      if (value !== undefined) texts.push(`${argument.name}: ${this.#written(argument, value)}`);
      else if (isRequiredArgument(argument)) return undefined;
    }
    return texts.length === 0 ? '' : `(${texts.join(', ')})`;
  }

  #written({ name, type }: GraphQLArgument, value: Json): string {
    if (this.values === 'literals') return print(literalOf(value, type));
    return this.variable(name, String(type), value);
  }

  #valueOf(argument: GraphQLArgument, full: boolean, isNull: boolean): Json | undefined {
    if (isNull) return null;
    if (!full && !isRequiredArgument(argument)) return undefined;
    return exampleInput(argument, full);
  }

  /** The selection of a type: every field, and the fields of its fields down to a depth; empty for a leaf. */
  selection(type: GraphQLNamedType, depth: number): string {
    return isCompositeType(type) ? ` { ${this.fields(type, depth)} }` : '';
  }

  /** The selection without its braces. */
  fields(type: GraphQLNamedType, depth: number): string {
    const shapes = new Map<string, string>();
    const own = isObjectType(type) || isInterfaceType(type) ? this.#fieldsOf(type, depth, shapes) : [];
    const possibles = isAbstractType(type) ? this.schema.getPossibleTypes(type).slice(0, MOST_TYPES) : [];
    const fragments = possibles.flatMap((possible) => {
      const fields = this.#fieldsOf(possible, depth, shapes, isInterfaceType(type) ? type : undefined);
      return fields.length === 0 ? [] : [`... on ${possible.name} { ${fields.join(' ')} }`];
    });
    return ['__typename', ...own, ...fragments].join(' ');
  }

  /** @param shapes - the types of the selected fields, by response name: a field with another type gets an alias */
  #fieldsOf(
    type: GraphQLObjectType | GraphQLInterfaceType,
    depth: number,
    shapes: Map<string, string>,
    selected?: GraphQLInterfaceType,
  ): readonly string[] {
    return Object.values(type.getFields()).flatMap((field) => {
      const named = getNamedType(field.type);
      const isSelected = selected?.getFields()[field.name] !== undefined;
      const isTooDeep = isCompositeType(named) && depth === 0;
      if (isSelected || isTooDeep || this.#left <= 0) return [];
      const values = this.arguments(field);
      if (values === undefined) return [];
      this.#left -= 1;
      const shape = String(field.type);
      const isTaken = (shapes.get(field.name) ?? shape) !== shape;
      if (!isTaken) shapes.set(field.name, shape);
      const name = isTaken ? `${type.name}_${field.name}: ${field.name}` : field.name;
      return [`${name}${values}${this.selection(named, depth - 1)}`];
    });
  }
}

/** A field of a root type. */
export interface RootField {
  /** Its schema coordinate: `Query.users`. */
  readonly id: string;
  readonly kind: 'query' | 'mutation' | 'subscription';
  readonly field: Field;
}

/** A field to select, or a type to narrow to. */
type Step = { readonly field: Field } | { readonly on: string };

/** The steps from a root type to a type; empty for the root type itself. */
export interface Way {
  readonly kind: 'query' | 'mutation' | 'subscription';
  readonly steps: readonly Step[];
}

export function rootFieldsOf(schema: GraphQLSchema): readonly RootField[] {
  const roots = [
    ['query', schema.getQueryType()],
    ['mutation', schema.getMutationType()],
    ['subscription', schema.getSubscriptionType()],
  ] as const;
  return roots.flatMap(([kind, type]) => {
    const fields = Object.values(type?.getFields() ?? {});
    return fields.map((field) => ({ id: `${type?.name ?? ''}.${field.name}`, kind, field }));
  });
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
      if (isAbstractType(type)) for (const { name: on } of schema.getPossibleTypes(type)) reach(on, { on });
      if (isObjectType(type) || isInterfaceType(type))
        for (const field of Object.values(type.getFields())) reach(getNamedType(field.type).name, { field });
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
