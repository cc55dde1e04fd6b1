/** The application's own fields over GraphQL: the resolvers of those that its schema has. */
import { type DocumentNode, parse } from 'graphql';
import {
  type FieldReading,
  type KeptFields,
  type RecordName,
  shownFields,
  type StoredFields,
  type StoredValues,
} from '../model/stored.js';
import type { GraphqlContext } from './graphql-context.js';

/** The resolvers that read such fields as arguments, of which record, and how. */
export const reads = {
  'Query.users': ['User', 'filter'],
  'Query.posts': ['Post', 'filter'],
  'Mutation.createUser': ['User', 'created'],
  'Mutation.updateUser': ['User', 'changed'],
  'Mutation.createPost': ['Post', 'created'],
} as const satisfies Readonly<Record<string, FieldReading>>;

/** One resolver per field of a record. */
export type StoredResolvers<Name extends RecordName, Given> = Name extends keyof StoredFields
  ? {
      readonly [Field in keyof StoredFields[Name]]-?: (
        record: Given,
        others: object,
        context: GraphqlContext,
      ) => StoredFields[Name][Field] | null;
    }
  : object;

/** Resolvers, with those of the fields of a type if it has any. */
export type WithStored<Resolvers, Name extends RecordName, Given> = Name extends keyof StoredFields
  ? Resolvers & { readonly [Type in Name]: StoredResolvers<Type, Given> }
  : Resolvers;

/** @param shown - checks the rights of the caller @returns none of fields that are never shown */
export function storedResolvers<
  Name extends RecordName,
  Given extends { readonly stored?: StoredValues | undefined },
>(
  kept: KeptFields | undefined,
  name: Name,
  shown: (record: Given, context: GraphqlContext) => Given,
): StoredResolvers<Name, Given> {
  const fields: KeptFields[RecordName] = kept?.[name];
  const readable = Object.entries(fields ?? {}).filter(([, { writeOnly }]) => writeOnly !== true);
  const resolvers = readable.map(([field]) => [
    field,
    (record: Given, _: object, context: GraphqlContext) =>
      shownFields(kept, name, shown(record, context))[field] ?? null,
  ]);
  return Object.fromEntries(resolvers) as StoredResolvers<Name, Given>;
}

/** Leaves out the resolvers of stored fields that a schema does not have: it need not show all of them. */
export function withoutAbsent<Resolvers extends object>(
  resolvers: Resolvers,
  kept: KeptFields,
  definitions: string,
): Resolvers {
  const document: DocumentNode = parse(definitions);
  const declared = new Set(
    document.definitions.flatMap((type) =>
      'fields' in type && 'name' in type
        ? (type.fields ?? []).map((field) => `${type.name.value}.${field.name.value}`)
        : [],
    ),
  );
  const types = Object.entries(resolvers).map(([type, fields]) => {
    const isAbsent = (field: string) =>
      kept[type as RecordName]?.[field] !== undefined && !declared.has(`${type}.${field}`);
    return [type, Object.fromEntries(Object.entries(fields as object).filter(([field]) => !isAbsent(field)))];
  });
  return Object.fromEntries(types) as Resolvers;
}
