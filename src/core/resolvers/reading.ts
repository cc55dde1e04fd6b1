/** Helpers for the reads of resolvers: which texts an operation selects, and null instead of a missing record. */
import { type FieldNode, type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';
import { ServiceError } from '../model/error.js';

/** The results by the nodes of a field, which are the same for all its objects. */
const known = new WeakMap<readonly FieldNode[], number>();

/**
 * The minimum number of times that the answer has the content of each post of a field, under any alias. If only conditional
 * selections have it, it counts as one.
 */
export function contentsSelected(info: GraphQLResolveInfo): number {
  const { fieldNodes } = info;
  let times = known.get(fieldNodes);
  if (times === undefined) {
    times = count(info);
    known.set(fieldNodes, times);
  }
  return times;
}

function count({ fieldNodes, fragments }: GraphQLResolveInfo): number {
  const responseNames = new Set<string>();
  let conditional = 0;

  function add({ selections }: SelectionSetNode, isCertain: boolean): void {
    for (const selection of selections) {
      const isSure = isCertain && !selection.directives?.length;
      if (selection.kind === Kind.FIELD) {
        if (selection.name.value !== 'content') continue;
        if (isSure) responseNames.add((selection.alias ?? selection.name).value);
        else conditional += 1;
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        add(selection.selectionSet, isSure);
      } else {
        const fragment = fragments[selection.name.value];
        if (fragment) add(fragment.selectionSet, isSure);
      }
    }
  }

  for (const { selectionSet } of fieldNodes) if (selectionSet) add(selectionSet, true);
  return responseNames.size === 0 ? Math.min(conditional, 1) : responseNames.size;
}

export async function nullWhereMissing<T>(read: Promise<T>): Promise<T | null> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not-found') return null;
    throw error;
  }
}
