/** How often an answer has the content of a post, by the selections of its operation. */

import { expect } from 'chai';
import { type FragmentDefinitionNode, type GraphQLResolveInfo, Kind, parse } from 'graphql';
import { contentsSelected } from '../../../src/core/resolvers/answer-budget.js';

/** The count for the posts of a query. */
function countOf(selections: string): number {
  const { definitions } = parse(`query ($a: Boolean!, $b: Boolean!) { posts { id ${selections} } }
    fragment Text on Post { content }`);
  const [operation] = definitions;
  if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('the first is the operation');
  const fragments = Object.fromEntries(
    definitions
      .filter((each): each is FragmentDefinitionNode => each.kind === Kind.FRAGMENT_DEFINITION)
      .map((each) => [each.name.value, each]),
  );
  return contentsSelected({
    fieldNodes: operation.selectionSet.selections,
    fragments,
  } as unknown as GraphQLResolveInfo);
}

describe('the content of posts in an answer', () => {
  const counts: Readonly<Record<string, number>> = {
    '': 0,
    content: 1,
    'content content': 1,
    'a: content b: content content': 3,
    '...Text': 1,
    '... on Post { a: content } ...Text': 2,
    'content @include(if: $a)': 1,
    'a: content @include(if: $a) b: content @include(if: $b)': 1,
    '...Text @skip(if: $a) ... @include(if: $b) { b: content c: content }': 1,
    'content a: content @include(if: $a)': 1,
  };
  for (const [selections, count] of Object.entries(counts)) {
    it(`is there at least ${String(count)} times for { ${selections} }`, () => {
      expect(countOf(selections)).to.equal(count);
    });
  }
});
