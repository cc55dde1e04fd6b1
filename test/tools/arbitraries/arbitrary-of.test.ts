/** Tests that the parts of requests have the types of the contract, cover its bounds, and shrink. */

import { expect } from 'chai';
import fc from 'fast-check';
import { arbitraryOf, arbitraryOfCheck } from '@concordat/tools/fast-check';
import type { CreateUserRequest, ListUsersRequest } from '../../../generated/operations.js';
import * as responseChecks from '../../../generated/response-validators.js';
import { contract } from '../../../generated/routing.js';

describe('arbitraryOf', () => {
  it('makes one part of a request, with the types of the contract', () => {
    const bodies: fc.Arbitrary<CreateUserRequest['body']> = arbitraryOf(contract, 'createUser', 'body');
    const queries: fc.Arbitrary<ListUsersRequest['query']> = arbitraryOf(contract, 'listUsers', 'query');
    fc.assert(
      fc.property(bodies, queries, ({ name }, { page, limit }) => {
        expect(name).to.be.a('string');
        expect([page ?? 1, limit ?? 1].every(Number.isInteger)).to.equal(true);
      }),
    );
    // @ts-expect-error -- it has none
    expect(() => arbitraryOf(contract, 'getProfile', 'body')).to.throw('getProfile has no body');
    // @ts-expect-error -- there is none
    expect(() => arbitraryOf(contract, 'getNothing')).to.throw('the contract has no operation getNothing');
  });

  it('covers the bounds', () => {
    const found = fc.sample(arbitraryOf(contract, 'listUsers', 'query'), 2_000);
    const limits = new Set(found.map(({ limit }) => limit));
    expect([...limits]).to.include.members([1, 100]);
    expect([...limits].filter((limit) => (limit ?? 1) < 1 || (limit ?? 1) > 100)).to.deep.equal([]);
    const roles = new Set(found.map(({ embed }) => embed));
    expect(roles).to.deep.equal(new Set([undefined, 'orders']));
  });

  it('shrinks to the smallest value that fits', () => {
    const { counterexample } = fc.check(
      fc.property(arbitraryOf(contract, 'createOrder', 'body'), ({ items }) => items.length < 2),
    );
    const [{ items } = expect.fail('nothing was found')] = counterexample ?? [];
    expect(items).to.have.length(2);
    for (const { quantity } of items) expect(quantity).to.equal(1);
  });

  it('makes the values of any check', () => {
    fc.assert(
      fc.property(arbitraryOfCheck(responseChecks.userResponse), (user) => {
        expect(responseChecks.userResponse(user)).to.equal(true);
      }),
    );
  });
});
