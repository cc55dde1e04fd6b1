/** Makes GraphQL documents that use one part of a schema, by its coordinate. */

import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isUnionType,
} from 'graphql';
import { argumentsOf, literalOf, literalWith, objectOf } from './literals.js';

/** A document around a selection; `variables` are the variable definitions after `query`. */
type Around = (selection: string, variables?: string) => string;

interface Use {
  readonly owner: string;
  readonly field: GraphQLField<unknown, unknown>;
}

/** The documents of a schema. */
export class Documents {
  /** By the name of the type that is selected from, the shortest way to it. */
  readonly #ways = new Map<string, Around>();

  constructor(private readonly schema: GraphQLSchema) {
    const roots = [
      ['query', schema.getQueryType()],
      ['mutation', schema.getMutationType()],
      ['subscription', schema.getSubscriptionType()],
    ] as const;
    for (const [kind, type] of roots) {
      if (type) this.#reach(type, (selection, variables = '') => `${kind}${variables} { ${selection} }`);
    }
  }

  #reach(root: GraphQLObjectType, around: Around): void {
    if (!this.#ways.has(root.name)) this.#ways.set(root.name, around);
    const waiting: string[] = [root.name];
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const type = this.schema.getType(name);
      const way = this.#ways.get(name);
      if (way === undefined) continue;
      const next: (readonly [string, Around])[] = [];
      if (isAbstractType(type)) {
        for (const { name: possible } of this.schema.getPossibleTypes(type)) {
          next.push([
            possible,
            (inner, variables) => way(`__typename ... on ${possible} { ${inner} }`, variables),
          ]);
        }
      }
      if (isObjectType(type) || isInterfaceType(type)) {
        for (const field of Object.values(type.getFields())) {
          const text = `${field.name}${argumentsOf(field)}`;
          next.push([
            getNamedType(field.type).name,
            (inner, variables) => way(`${text} { ${inner} }`, variables),
          ]);
        }
      }
      for (const [reached, found] of next) {
        if (this.#ways.has(reached) || !isCompositeType(this.schema.getType(reached))) continue;
        this.#ways.set(reached, found);
        waiting.push(reached);
      }
    }
  }

  /** Documents that use what a coordinate names: `Type`, `Type.field`, `Type.field.argument`, `Enum.VALUE`, `@directive`. */
  *for(coordinate: string): Generator<string> {
    const [name = '', member, argument] = coordinate.split('.');
    if (name.startsWith('@')) {
      yield* this.#directive(name.slice(1));
      return;
    }
    const type = this.schema.getType(name);
    if (isObjectType(type) || isInterfaceType(type)) {
      const field = member === undefined ? undefined : type.getFields()[member];
      if (field !== undefined) yield* this.#fields({ owner: name, field }, argument);
      const way = this.#ways.get(name);
      if (way !== undefined) yield way('__typename');
      if (way !== undefined && member !== undefined) yield way(`... on ${member} { __typename }`);
    } else if (isUnionType(type)) {
      const way = this.#ways.get(name);
      for (const possible of member === undefined ? ['__typename'] : [`... on ${member} { __typename }`]) {
        if (way !== undefined) yield way(possible);
      }
    } else {
      yield* this.#inputs(name, member);
    }
  }

  *#fields({ owner, field }: Use, argument: string | undefined): Generator<string> {
    const found = field.args.find((each) => each.name === argument);
    if (found !== undefined) {
      const value = literalOf(found.type);
      for (const given of [value, 'null']) {
        if (given !== undefined) yield* this.#select(owner, field, { [found.name]: given });
      }
      yield* this.#withVariable({ owner, field }, found, found.type);
    }
    yield* this.#select(owner, field);
  }

  *#select(
    owner: string,
    field: GraphQLField<unknown, unknown>,
    given: Readonly<Record<string, string>> = {},
    variables?: string,
  ): Generator<string> {
    const way = this.#ways.get(owner);
    const inner = isCompositeType(getNamedType(field.type)) ? ' { __typename }' : '';
    if (way !== undefined) yield way(`${field.name}${argumentsOf(field, given)}${inner}`, variables);
  }

  /** Types of variables are compared by name, where literals of several types look the same. */
  *#withVariable(
    { owner, field }: Use,
    argument: GraphQLArgument,
    type: GraphQLInputType,
  ): Generator<string> {
    yield* this.#select(owner, field, { [argument.name]: '$value' }, ` ($value: ${String(type)})`);
  }

  /** Uses of an input type, and of one of its fields or values. */
  *#inputs(name: string, member: string | undefined): Generator<string> {
    const type = this.schema.getType(name);
    const values: (string | undefined)[] = [];
    if (isInputObjectType(type)) {
      const fields = Object.values(type.getFields());
      const field = fields.find((each) => each.name === member);
      if (field !== undefined) {
        for (const given of [literalOf(field.type), 'null']) {
          if (given !== undefined) values.push(objectOf(fields, { [field.name]: given }));
        }
      }
      values.push(literalOf(type));
    } else if (member !== undefined) values.push(member);
    for (const { owner, field } of this.#uses()) {
      for (const argument of field.args) {
        if (getNamedType(argument.type).name === name)
          yield* this.#withVariable({ owner, field }, argument, argument.type);
        for (const value of values) {
          const literal = value === undefined ? undefined : literalWith(argument.type, name, value);
          if (literal !== undefined) yield* this.#select(owner, field, { [argument.name]: literal });
        }
      }
    }
  }

  /** Every field that can be selected. */
  *#uses(): Generator<Use> {
    for (const owner of this.#ways.keys()) {
      const type = this.schema.getType(owner);
      if (!isObjectType(type) && !isInterfaceType(type)) continue;
      for (const field of Object.values(type.getFields())) yield { owner, field };
    }
  }

  *#directive(name: string): Generator<string> {
    const directive = this.schema.getDirective(name);
    if (!directive) return;
    const given = directive.args.map((each) => `${each.name}: ${literalOf(each.type) ?? 'null'}`);
    const text = `@${name}${given.length === 0 ? '' : `(${given.join(', ')})`}`;
    yield `query { __typename ${text} }`;
    yield `query ${text} { __typename }`;
    yield `query { ... ${text} { __typename } }`;
  }

  /** The documents that select a field of the type, or one that has the type. */
  *answering(coordinate: string): Generator<string> {
    const [name = '', member] = coordinate.split('.');
    const type = this.schema.getType(name);
    if (isObjectType(type) || isInterfaceType(type)) {
      const field = member === undefined ? undefined : type.getFields()[member];
      if (field !== undefined) yield* this.#select(name, field);
    } else {
      for (const { owner, field } of this.#uses()) {
        if (getNamedType(field.type).name === name) yield* this.#select(owner, field);
      }
    }
  }
}
