/** Changes of a GraphQL schema, each with the kinds of changes that `diff` must find, and how bad they are for clients. */

import {
  type DefinitionNode,
  type FieldDefinitionNode,
  type InputValueDefinitionNode,
  Kind,
  type NameNode,
  type ObjectTypeDefinitionNode,
  parse,
  parseType,
  print,
} from 'graphql';
import type { Random } from '../simulation/random.js';
import type { Mutation } from './mutations.js';

export interface SdlMutation extends Omit<Mutation, 'change'> {
  /** The definition, changed; undefined if it does not fit. */
  readonly change: (definition: DefinitionNode, random: Random) => DefinitionNode | undefined;
}

const name = (value: string): NameNode => ({
  kind: Kind.NAME,
  value,
});
const input = (type: string): InputValueDefinitionNode => ({
  kind: Kind.INPUT_VALUE_DEFINITION,
  name: name('addedByMutation'),
  type: parseType(type),
});
const FIELD: FieldDefinitionNode = {
  kind: Kind.FIELD_DEFINITION,
  name: name('addedByMutation'),
  type: parseType('Int'),
};

/** Changes a field of an object type, which no interface prescribes. */
const ofField =
  (change: (field: FieldDefinitionNode) => FieldDefinitionNode | undefined): SdlMutation['change'] =>
  (definition, random) => {
    if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION) return undefined;
    const fields = definition.fields ?? [];
    const field = random.pick(fields.filter((each) => !each.name.value.startsWith('of')));
    const changed = field && change(field);
    return changed && { ...definition, fields: fields.map((each) => (each === field ? changed : each)) };
  };

const isQuery = (definition: DefinitionNode): definition is ObjectTypeDefinitionNode =>
  definition.kind === Kind.OBJECT_TYPE_DEFINITION && definition.name.value === 'Query';

/** A part that no operation reaches breaks nobody. */
const BREAKING = ['breaking', 'dangerous'] as const;

export const SDL_MUTATIONS: Readonly<Record<string, SdlMutation>> = {
  'another description': {
    kinds: [],
    client: [[], []],
    change: ofField((field) => ({ ...field, description: { kind: Kind.STRING, value: 'Another' } })),
  },
  'a field of Query': {
    kinds: [['field-added', 'field-removed']],
    client: [['safe'], ['breaking']],
    change: (definition) =>
      isQuery(definition) ? { ...definition, fields: [...(definition.fields ?? []), FIELD] } : undefined,
  },
  'a field of a type': {
    kinds: [['field-added', 'field-removed']],
    client: [['safe'], BREAKING],
    change: (definition) =>
      definition.kind === Kind.OBJECT_TYPE_DEFINITION
        ? { ...definition, fields: [...(definition.fields ?? []), FIELD] }
        : undefined,
  },
  'an optional argument': {
    kinds: [['field-argument-added', 'field-argument-removed']],
    client: [['dangerous', 'safe'], BREAKING],
    change: ofField((field) => ({ ...field, arguments: [...(field.arguments ?? []), input('Int')] })),
  },
  'a required argument': {
    kinds: [['field-argument-added', 'field-argument-removed']],
    client: [BREAKING, BREAKING],
    change: ofField((field) => ({ ...field, arguments: [...(field.arguments ?? []), input('Int!')] })),
  },
  'a result that may be null': {
    kinds: [['field-type-changed', 'field-type-changed']],
    client: [BREAKING, ['safe']],
    change: ofField((field) =>
      field.type.kind === Kind.NON_NULL_TYPE ? { ...field, type: field.type.type } : undefined,
    ),
  },
  'a list of results': {
    kinds: [['field-type-changed', 'field-type-changed']],
    client: [BREAKING, BREAKING],
    change: ofField((field) => ({ ...field, type: { kind: Kind.LIST_TYPE, type: field.type } })),
  },
  'a value of an enum': {
    kinds: [['enum-value-added', 'enum-value-removed']],
    client: [['dangerous', 'breaking'], BREAKING],
    change: (definition) =>
      definition.kind === Kind.ENUM_TYPE_DEFINITION
        ? {
            ...definition,
            values: [
              ...(definition.values ?? []),
              { kind: Kind.ENUM_VALUE_DEFINITION, name: name('ADDED_BY_MUTATION') },
            ],
          }
        : undefined,
  },
  'an optional field of an input': {
    kinds: [['input-field-added', 'input-field-removed']],
    client: [['dangerous', 'safe'], BREAKING],
    change: (definition) =>
      definition.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION
        ? { ...definition, fields: [...(definition.fields ?? []), input('Int')] }
        : undefined,
  },
  'a required field of an input': {
    kinds: [['input-field-added', 'input-field-removed']],
    client: [BREAKING, BREAKING],
    change: (definition) =>
      definition.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION && definition.directives?.length === 0
        ? { ...definition, fields: [...(definition.fields ?? []), input('Int!')] }
        : undefined,
  },
};

/** A copy of a schema with one mutation. @returns undefined if none fits */
export function mutatedSdl(
  text: string,
  random: Random,
): { readonly name: string; readonly copy: string } | undefined {
  const document = parse(text);
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const definition = random.pick(document.definitions);
    const mutation = random.pick(Object.keys(SDL_MUTATIONS)) ?? '';
    const changed = definition && SDL_MUTATIONS[mutation]?.change(definition, random);
    if (changed === undefined) continue;
    const definitions = document.definitions.map((each) => (each === definition ? changed : each));
    return { name: mutation, copy: print({ ...document, definitions }) };
  }
  return undefined;
}
