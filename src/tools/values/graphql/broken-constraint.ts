/** Finds the constraint of a schema that the arguments of an operation break. */

import { failureOf } from '@concordat/runtime';
import { type Coerced, argumentsOf, coercedVariables } from '@concordat/runtime/graphql';
import type { ConstraintChecks } from 'concordat/contract';
import { type ASTNode, GraphQLError, type GraphQLSchema, TypeInfo, visit, visitWithTypeInfo } from 'graphql';

/**
 * The sentence of the first broken constraint, such as `limit must be >= 1`.
 *
 * @param given - the variables, coerced by the schema; undefined if none has a value
 * @param isDeep - whether fields below the root count, which are resolved only if there are values around them
 */
export function brokenConstraint(
  schema: GraphQLSchema,
  checks: ConstraintChecks,
  operation: ASTNode,
  given: Coerced | undefined,
  isDeep: boolean,
): string | undefined {
  const variables = given ?? coercedVariables(schema, [], {}).variables;
  const info = new TypeInfo(schema);
  let depth = 0;
  let broken: string | undefined;
  visit(
    operation,
    visitWithTypeInfo(info, {
      Field: {
        enter(node) {
          depth += 1;
          const [parent, field] = [info.getParentType(), info.getFieldDef()];
          const check = checks[`${parent?.name ?? ''}$${node.name.value}`];
          if (!field || check === undefined || broken !== undefined || (depth > 1 && !isDeep)) return;
          try {
            const values = argumentsOf(field, node, variables);
            if (!check(values)) broken = failureOf(check, values, '');
          } catch (error) {
            // A variable without a value says nothing.
            if (!(error instanceof GraphQLError)) throw error;
          }
        },
        leave: () => void (depth -= 1),
      },
    }),
  );
  return broken;
}
