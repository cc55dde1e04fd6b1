/** Finds the mutations that create and delete a resource and the query that reads it, and the steps in which they are sent. */

import {
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import type { Lifecycle, LifecycleSteps } from '../run/lifecycle.js';
import { type GraphqlSession, type Outcome, REMOVES, isSuccess } from './graphql-session.js';
import type { RootField } from '../../values/graphql/ways.js';

export const CREATES =
  /^(?:create|add|new|register|insert|make|open|publish|sign_?up)|(?:Create|Add|Insert)$/;

/** The operations that create, read and delete objects of one type. */
interface TypeLifecycle extends Lifecycle<RootField> {
  readonly type: string;
}

export function lifecyclesOf(
  schema: GraphQLSchema,
  roots: readonly RootField[],
  { known }: GraphqlSession,
): readonly TypeLifecycle[] {
  const isOf = (type: string, { field }: RootField): boolean => {
    const [argument, ...more] = field.args.filter(isRequiredArgument);
    return argument !== undefined && more.length === 0 && known.typesOf(field, argument.name)[0] === type;
  };
  return roots
    .filter(({ kind, field }) => kind === 'mutation' && CREATES.test(field.name))
    .flatMap((create) => {
      const type = createdType(schema, create.field);
      if (type === undefined) return [];
      const read = roots.find(
        (each) => each.kind === 'query' && readType(each.field) === type && isOf(type, each),
      );
      const remove = roots.find(
        (each) => each.kind === 'mutation' && REMOVES.test(each.field.name) && isOf(type, each),
      );
      return read === undefined ? [] : [{ type, create, read, ...(remove && { remove }) }];
    });
}

/** The type of the object that a mutation returns, or that its payload holds. */
function createdType(schema: GraphQLSchema, field: GraphQLField<unknown, unknown>): string | undefined {
  const named = getNamedType(field.type);
  const result = isAbstractType(named) ? schema.getPossibleTypes(named)[0] : named;
  if (!isObjectType(result)) return undefined;
  const fields = Object.values(result.getFields());
  const inner = [result, ...fields.map((each) => getNamedType(each.type))].find(
    (type) => isObjectType(type) && type.getFields()['id'] !== undefined,
  );
  return inner?.name;
}

function readType({ type }: GraphQLField<unknown, unknown>): string {
  return getNamedType(type).name;
}

/** @param attempt - sends the plain request of an operation, and checks the answer */
export function lifecycleSteps(
  type: string,
  attempt: (root: RootField, ids?: Readonly<Record<string, string | number>>) => Promise<Outcome | undefined>,
): LifecycleSteps<RootField, string | number, Outcome> {
  return {
    send: (root, id) => (id === undefined ? attempt(root) : attempt(root, namedBy(root, id))),
    createdBy: ({ ids }) => ids.find((each) => each.type === type)?.id,
    isSuccess,
    isGone,
    messages: {
      lost: () => 'it was created, and reading it finds nothing',
      'not-deleted': () => 'it was deleted, and reading it finds it',
    },
  };
}

/** The id as a variable, for the required argument. */
function namedBy({ field }: RootField, id: string | number): Readonly<Record<string, string | number>> {
  const argument = field.args.find(isRequiredArgument);
  if (argument === undefined) return {};
  return { [argument.name]: getNamedType(argument.type).name === 'Int' ? Number(id) : String(id) };
}

/** Whether the fields of an operation are null, without errors or only with errors that mean "not found". */
function isGone({ response }: Outcome): boolean {
  const values: readonly unknown[] = response?.data == null ? [] : Object.values(response.data);
  const isNull = response?.data === null || (values.length > 0 && values.every((value) => value === null));
  const isMissing = ({
    message,
    extensions,
  }: {
    readonly message: string;
    readonly extensions?: object;
  }): boolean => /not.?(?:found|exist)|no such/i.test(`${message} ${JSON.stringify(extensions ?? '')}`);
  return isNull && (response?.errors ?? []).every(isMissing);
}
