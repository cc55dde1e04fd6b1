/** An application's schema that extends the core's: both are served by one engine, and no resolver of the core may be left out. */

import { anonymous, createServices, openPolicy } from '@concordat/core';
import { typeDefs } from '@concordat/core/contract';
import { createResolvers, makeContext, serviceGraphqlEngine } from '@concordat/core/graphql';
import { memoryStorage } from '@concordat/core/storage/memory';
import { expect } from 'chai';
import { bareUserInput } from '../../support/bare-records.js';

const extended = `${typeDefs} extend type User { points: Int! } extend type Query { mostPoints: User }`;

describe('an extended schema', () => {
  const services = createServices({ storage: memoryStorage(), policy: openPolicy });
  const core = createResolvers(services);
  const report = (error: unknown): never => {
    throw error;
  };
  const resolvers = {
    ...core,
    Query: { ...core.Query, mostPoints: () => services.users.get(anonymous, '1') },
    User: { ...core.User, points: () => 7 },
  };

  it('is served with the fields of the core', async () => {
    await services.users.create(anonymous, { ...bareUserInput, name: 'Ada', email: 'ada@example.com' });
    const engine = serviceGraphqlEngine({ services, report, typeDefs: extended, resolvers });
    const operation = engine.prepare({
      query: '{ users { name points } mostPoints { email posts { id } } }',
    });
    if ('errors' in operation) throw new Error('it was refused');
    const { data } = await engine.execute(operation, undefined, makeContext(services, anonymous));
    expect(JSON.parse(JSON.stringify(data))).to.deep.equal({
      users: [{ name: 'Ada', points: 7 }],
      mostPoints: { email: 'ada@example.com', posts: [] },
    });
  });

  it('is refused without a resolver of the core, or without a field for a resolver', () => {
    const { posts, points } = resolvers.User;
    const User = { posts, points } as typeof resolvers.User;
    expect(() =>
      serviceGraphqlEngine({ services, report, typeDefs: extended, resolvers: { ...resolvers, User } }),
    ).to.throw('the resolvers lack User.email, which createResolvers makes');
    expect(() => serviceGraphqlEngine({ services, report, typeDefs, resolvers })).to.throw(
      /mostPoints|points/,
    );
  });
});
