/** Finds mutations that create and delete a resource and the query that reads it, and runs them in sequence. */

import {
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import type { Finding } from '../run/rules.js';
import { isMocked } from '../run/send-request.js';
import { type GraphqlSession, type Outcome, REMOVES, isSuccess } from './graphql-session.js';
import type { RootField } from '../../graphql/samples/ways.js';

export const CREATES =
  /^(?:create|add|new|register|insert|make|open|publish|sign_?up)|(?:Create|Add|Insert)$/;

/** The operations that create, read and delete objects of one type. */
export interface Lifecycle {
  readonly type: string;
  readonly create: RootField;
  readonly read: RootField;
  readonly remove?: RootField;
}

/** A finding of a lifecycle: the step that shows it, followed by the steps that led to it. */
export interface LifecycleFinding {
  readonly finding: Finding;
  readonly steps: readonly [Outcome, ...Outcome[]];
}

export function lifecyclesOf(
  schema: GraphQLSchema,
  roots: readonly RootField[],
  { known }: GraphqlSession,
): readonly Lifecycle[] {
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

/** @param send - sends the plain request of an operation, and checks the answer */
export async function runLifecycle(
  { type, create, read, remove }: Lifecycle,
  send: (root: RootField, ids?: Readonly<Record<string, string | number>>) => Promise<Outcome | undefined>,
): Promise<LifecycleFinding | undefined> {
  const created = await send(create);
  const id = created?.ids.find((each) => each.type === type)?.id;
  if (created === undefined || id === undefined || !isSuccess(created) || isMocked(created.answer))
    return undefined;
  const found = await send(read, namedBy(read, id));
  if (found === undefined) return undefined;
  if (isGone(found)) {
    return {
      finding: { rule: 'lost', message: 'it was created, and reading it finds nothing' },
      steps: [found, created],
    };
  }
  if (remove === undefined || !isSuccess(found)) return undefined;
  const removed = await send(remove, namedBy(remove, id));
  if (removed === undefined || !isSuccess(removed)) return undefined;
  const again = await send(read, namedBy(read, id));
  if (again === undefined || !isSuccess(again) || isGone(again)) return undefined;
  return {
    finding: { rule: 'not-deleted', message: 'it was deleted, and reading it finds it' },
    steps: [again, created, removed],
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
