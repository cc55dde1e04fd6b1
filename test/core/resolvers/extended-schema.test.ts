/** An application's schema that extends the core's: both are served by one engine, and no resolver of the core may be left out. */

import { anonymous, createServices, openPolicy } from '@concordat/core';
import { typeDefs } from '@concordat/core/contract';
import { createResolvers, makeContext, serviceGraphqlEngine } from '@concordat/core/graphql';
import { memoryStorage } from '@concordat/core/storage/memory';
import { expect } from 'chai';
import type { ConstraintChecks } from '@concordat/runtime/graphql';

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
    await services.users.create(anonymous, { name: 'Ada', email: 'ada@example.com' });
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

  describe('with an argument that the application adds to a field of the core', () => {
    const withArgument = (argument: string, before = 'email: String!') => {
      const found = typeDefs.lastIndexOf(before, typeDefs.indexOf('createPost('));
      return `${typeDefs.slice(0, found)}${argument}, ${typeDefs.slice(found)}`;
    };
    const PROFILE = 'input Profile { city: String } extend input Profile { nickname: String }';
    const serve = (schema: string, own: typeof core, constraints?: ConstraintChecks) => () =>
      serviceGraphqlEngine({
        services,
        report,
        typeDefs: schema,
        resolvers: own,
        ...(constraints && { constraints }),
      });
    const { createUser } = core.Mutation;

    it('is refused, because the resolver of the core would ignore it', () => {
      expect(serve(withArgument('nickname: String'), core)).to.throw(
        'Mutation.createUser: the handler of the core does not read nickname; replace the handler, or leave the field out',
      );
      expect(serve(typeDefs.replace('posts: [Post!]!', 'posts(newest: Int): [Post!]!'), core)).to.throw(
        'User.posts: the handler of the core does not read newest',
      );
      expect(serve(typeDefs.replace('since: ID', 'since: ID, tag: String'), core)).to.throw(
        'Subscription.postAdded: the handler of the core does not read tag',
      );
    });

    it('is refused with the field of its input type, also one that an extension adds', () => {
      expect(serve(`${withArgument('profile: Profile')} ${PROFILE}`, core)).to.throw(
        'Mutation.createUser: the handler of the core does not read profile',
      );
      const email = typeDefs.lastIndexOf('email: String!', typeDefs.indexOf('createPost('));
      const changed =
        typeDefs.slice(0, email) + typeDefs.slice(email).replace('email: String!', 'email: Profile!');
      expect(serve(`${changed} ${PROFILE}`, core)).to.throw(
        'Mutation.createUser: the handler of the core does not read email/city',
      );
    });

    it('is accepted where the application replaces or wraps the resolver', () => {
      const replaced: typeof createUser = (...call) => createUser(...call);
      const own = { ...core, Mutation: { ...core.Mutation, createUser: replaced } };
      expect(serve(`${withArgument('profile: Profile')} ${PROFILE}`, own)).not.to.throw();
    });

    it('has its constraints checked, unlike those of arguments that the core itself checks', () => {
      const replaced: typeof createUser = (...call) => createUser(...call);
      const own = { ...core, Mutation: { ...core.Mutation, createUser: replaced } };
      const constrained = withArgument('nickname: String @constraint(minLength: 2)');
      expect(serve(constrained, own)).to.throw('nothing checks the constraints of Mutation.createUser');
      expect(serve(constrained, own, { Mutation$createUser: () => true })).not.to.throw();
    });
  });
});
