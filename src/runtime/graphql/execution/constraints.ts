/** Checks the arguments of fields before these are resolved: the values that `@constraint` in the schema allows. */

import {
  type ConstValueNode,
  type DirectiveNode,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  defaultFieldResolver,
  getNamedType,
  isInputObjectType,
  isObjectType,
} from 'graphql';
import type { Check } from '../../contract/contract.js';
import { once } from '../../contract/once.js';
import { reached } from '../../contract/reached.js';
import { failureOf } from '../../failures/sentences.js';
import { Problem } from '../../http/problem.js';

/**
 * The exports of the generated `constraints.js`: the check of the arguments of a field, by `Type$field`. It is undefined for a field whose
 * resolver checks its arguments itself.
 */
export type ConstraintChecks = Readonly<Record<string, Check | undefined>>;

/** An argument or an input field. */
export interface GraphqlInput {
  readonly name: string;
  readonly type: GraphQLInputType;
  readonly astNode?:
    | {
        readonly directives?: readonly DirectiveNode[] | undefined;
        readonly defaultValue?: ConstValueNode | undefined;
      }
    | null
    | undefined;
}

/**
 * Makes the resolvers of a schema check their arguments first, in place.
 *
 * @throws an error that names the fields whose constraints would not be checked
 */
export function addConstraints(schema: GraphQLSchema, checks: ConstraintChecks): void {
  const missing: string[] = [];
  for (const type of Object.values(schema.getTypeMap())) {
    for (const field of isObjectType(type) ? Object.values(type.getFields()) : []) {
      if (!field.args.some((each) => isConstrained(each))) continue;
      const key = `${type.name}$${field.name}`;
      const check = checks[key];
      if (!(key in checks)) missing.push(`${type.name}.${field.name}`);
      if (check === undefined) continue;
      const { resolve = defaultFieldResolver, subscribe } = field;
      const checked =
        (next: typeof resolve): typeof resolve =>
        (source, args: object, context, info) => {
          if (!check(args)) throw new Problem(400, failureOf(check, args, ''));
          return next(source, args, context, info);
        };
      // The arguments of a subscription are the same for each event.
      if (subscribe) field.subscribe = checked(subscribe);
      else field.resolve = checked(resolve);
    }
  }
  if (missing.length > 0)
    throw new Error(
      `nothing checks the constraints of ${missing.join(', ')}; give the engine the exports of the generated constraints.ts as constraints`,
    );
}

/** The directive that states the constraints of an argument or input field, if it has any. */
export function constraintDirective(node: GraphqlInput['astNode']): DirectiveNode | undefined {
  return node?.directives?.find(({ name }) => name.value === 'constraint');
}

/** Whether a value, or a value in it, has constraints. */
export function isConstrained({ astNode, type }: GraphqlInput): boolean {
  if (constraintDirective(astNode) !== undefined) return true;
  const named = getNamedType(type);
  return isInputObjectType(named) && once(named, hasConstrainedFields);
}

function hasConstrainedFields(type: GraphQLInputObjectType): boolean {
  return inputFieldsWithin(type).some(({ astNode }) => constraintDirective(astNode) !== undefined);
}

/** The fields of a type of inputs and of the types in it, at any depth, each once; none of a type without fields. */
export function inputFieldsWithin(type: GraphQLInputType): readonly GraphQLInputField[] {
  const types = reached([getNamedType(type)], (each) =>
    fieldsOf(each).map((field) => getNamedType(field.type)),
  );
  return [...types].flatMap(fieldsOf);
}

function fieldsOf(type: GraphQLInputType): readonly GraphQLInputField[] {
  const named = getNamedType(type);
  return isInputObjectType(named) ? Object.values(named.getFields()) : [];
}
