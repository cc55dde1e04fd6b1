/** The rule that subscriptions have no conditions at their root (GraphQL, "Single Root Field"), which graphql-js does not check. */

import { type DocumentNode, GraphQLError, Kind, OperationTypeNode, type SelectionSetNode } from 'graphql';
import { fragmentsOf } from '../compiler/selections.js';

/** @returns an error per `@skip` or `@include` at the root of a subscription, also in the fragments that are spread there */
export function rootConditions(document: DocumentNode): readonly GraphQLError[] {
  const errors: GraphQLError[] = [];
  const fragments = fragmentsOf(document);
  const visited = new Set<SelectionSetNode>();

  function check(set: SelectionSetNode): void {
    if (visited.has(set)) return;
    visited.add(set);
    for (const selection of set.selections) {
      for (const directive of selection.directives ?? []) {
        const name = directive.name.value;
        if (name !== 'skip' && name !== 'include') continue;
        const message = `The directive @${name} is not allowed at the root of a subscription`;
        errors.push(new GraphQLError(message, { nodes: directive }));
      }
      if (selection.kind === Kind.INLINE_FRAGMENT) check(selection.selectionSet);
      else if (selection.kind === Kind.FRAGMENT_SPREAD) {
        const fragment = fragments.get(selection.name.value);
        if (fragment !== undefined) check(fragment.selectionSet);
      }
    }
  }

  for (const definition of document.definitions) {
    const isOperation = definition.kind === Kind.OPERATION_DEFINITION;
    if (isOperation && definition.operation === OperationTypeNode.SUBSCRIPTION)
      check(definition.selectionSet);
  }
  return errors.slice(0, MOST_ERRORS);
}

/** As many as of the other rules. */
const MOST_ERRORS = 20;
