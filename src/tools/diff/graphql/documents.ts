/** Makes GraphQL documents that use one part of a schema, by its coordinate. */

import type { Json } from '@concordat/runtime';
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isUnionType,
  print,
} from 'graphql';
import { Draft, type Way, rootFieldsOf, textOfWay, waysOf } from '../../values/graphql/operation-draft.js';
import { exampleInput, inputWith, literalOf, objectWith } from '../../values/graphql/sample-values.js';

interface Use {
  readonly owner: string;
  readonly field: GraphQLField<unknown, unknown>;
}

/** The documents of a schema. */
export class Documents {
  /** By the name of the type that is selected from. */
  readonly #ways: ReadonlyMap<string, Way>;

  constructor(private readonly schema: GraphQLSchema) {
    this.#ways = waysOf(schema, rootFieldsOf(schema));
  }

  /**
   * Documents that use the part at a coordinate: `Type`, `Type.field`, `Type.field.argument`, `Enum.VALUE`, `@directive`.
   *
   * @param tried - values for an argument or input field
   */
  *for(coordinate: string, tried: readonly Json[] = []): Generator<string> {
    const [name = '', member, argument] = coordinate.split('.');
    if (name.startsWith('@')) {
      yield* this.#directive(name.slice(1));
      return;
    }
    const type = this.schema.getType(name);
    if (isObjectType(type) || isInterfaceType(type)) {
      const field = member === undefined ? undefined : type.getFields()[member];
      if (field !== undefined) yield* this.#fields({ owner: name, field }, argument, tried);
      yield* this.#document(name, () => '__typename');
      if (member !== undefined) yield* this.#document(name, () => `... on ${member} { __typename }`);
    } else if (isUnionType(type)) {
      const inner = member === undefined ? '__typename' : `... on ${member} { __typename }`;
      yield* this.#document(name, () => inner);
    } else {
      yield* this.#inputs(name, member, tried);
    }
  }

  /** A document that selects from a type; none if the type cannot be reached. */
  *#document(owner: string, selection: (draft: Draft) => string | undefined): Generator<string> {
    const way = this.#ways.get(owner);
    if (way === undefined) return;
    const draft = new Draft(this.schema, 'literals');
    const inner = selection(draft);
    const text = inner === undefined ? undefined : textOfWay(way, inner, draft);
    if (text === undefined) return;
    const { definitions } = draft;
    yield `${way.kind}${definitions === '' ? '' : ` ${definitions}`} { ${text} }`;
  }

  *#fields({ owner, field }: Use, argument: string | undefined, tried: readonly Json[]): Generator<string> {
    const found = field.args.find((each) => each.name === argument);
    if (found !== undefined) {
      const renamed = { name: 'text', type: found.type, astNode: found.astNode };
      for (const given of [...tried, exampleInput(renamed, false), null])
        if (given !== undefined) yield* this.#select({ owner, field }, { [found.name]: given });
      yield* this.#selectWithVariable({ owner, field }, found);
    }
    yield* this.#select({ owner, field });
  }

  *#select({ owner, field }: Use, given: Readonly<Record<string, Json>> = {}): Generator<string> {
    yield* this.#document(owner, (draft) => {
      const values = draft.arguments(field, false, given);
      return values === undefined ? undefined : `${field.name}${values}${innerOf(field)}`;
    });
  }

  /** Passes a variable: types of variables are compared by name, while literals of several types look the same. */
  *#selectWithVariable({ owner, field }: Use, argument: GraphQLArgument): Generator<string> {
    yield* this.#document(owner, (draft) => {
      const others = draft.arguments({ args: field.args.filter((each) => each !== argument) });
      if (others === undefined) return undefined;
      const given = `${argument.name}: ${draft.variable('value', String(argument.type), undefined)}`;
      const values = others === '' ? `(${given})` : others.replace('(', `(${given}, `);
      return `${field.name}${values}${innerOf(field)}`;
    });
  }

  /** Uses of an input type, and of one of its fields or values. */
  *#inputs(name: string, member: string | undefined, tried: readonly Json[]): Generator<string> {
    const type = this.schema.getType(name);
    const values: (Json | undefined)[] = [];
    if (isInputObjectType(type)) {
      const field = member === undefined ? undefined : type.getFields()[member];
      if (field !== undefined) {
        for (const given of [...tried, exampleInput(field, false), null])
          if (given !== undefined) values.push(objectWith(type, field.name, given));
      }
      values.push(exampleInput({ type, name: 'text' }, false));
    } else if (member !== undefined) values.push(member);
    for (const { owner, field } of this.#uses()) {
      for (const argument of field.args) {
        if (getNamedType(argument.type).name === name)
          yield* this.#selectWithVariable({ owner, field }, argument);
        for (const value of values) {
          const given = value === undefined ? undefined : inputWith(argument.type, name, value);
          if (given !== undefined) yield* this.#select({ owner, field }, { [argument.name]: given });
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
    const given = directive.args.map((each) => {
      const value = exampleInput({ type: each.type, name: 'text' }, false) ?? null;
      return `${each.name}: ${print(literalOf(value, each.type))}`;
    });
    const text = `@${name}${given.length === 0 ? '' : `(${given.join(', ')})`}`;
    yield `query { __typename ${text} }`;
    yield `query ${text} { __typename }`;
    yield `query { ... ${text} { __typename } }`;
  }

  /** The documents that select the field at a coordinate, or else the fields whose type it names. */
  *answering(coordinate: string): Generator<string> {
    const [name = '', member] = coordinate.split('.');
    const type = this.schema.getType(name);
    if (isObjectType(type) || isInterfaceType(type)) {
      const field = member === undefined ? undefined : type.getFields()[member];
      if (field !== undefined) yield* this.#select({ owner: name, field });
    } else {
      for (const use of this.#uses())
        if (getNamedType(use.field.type).name === name) yield* this.#select(use);
    }
  }
}

/** The smallest selection of a field. */
function innerOf({ type }: GraphQLField<unknown, unknown>): string {
  return isCompositeType(getNamedType(type)) ? ' { __typename }' : '';
}
