/** Services over a storage that has some of the stores: those that can be made, and what is said of the others. */
import { expect } from 'chai';
import { contract } from '../../../generated/routing.js';
import { serviceEngine } from '../../../src/core/operations/rest-engine.js';
import { makeContext } from '../../../src/core/resolvers/graphql-context.js';
import { serviceGraphqlEngine } from '../../../src/core/resolvers/graphql-engine.js';
import { anonymous } from '../../../src/core/services/rights/caller.js';
import { openPolicy } from '../../../src/core/services/rights/policy.js';
import { createServices, type Services } from '../../../src/core/services/services.js';
import { memoryStorage } from '../../../src/core/storage/memory.js';
import { xmlEncoder } from '../../../src/runtime/encoding/xml.js';

const fail = (error: unknown): never => {
  throw error;
};

describe('createServices over a part of a storage', () => {
  const { users, posts, orders, products } = memoryStorage();
  const services = createServices({ storage: { users, posts }, policy: openPolicy });

  it('makes the services that have all their stores', async () => {
    const ada = { name: 'Ada', email: 'ada@example.com' };
    const { id } = await services.users.create(anonymous, ada);
    const post = await services.posts.create(anonymous, { title: 'Looms', content: 'Text', authorId: id });
    expect(await services.posts.get(anonymous, post.id)).to.deep.equal(post);
    expect(Object.keys(services)).to.have.members(['rights', 'authentication', 'users', 'posts']);
  });

  it('knows no API key without a store of keys', async () => {
    expect(await services.authentication.callerOfApiKey(`ck_1_${'x'.repeat(43)}`)).to.equal(undefined);
  });

  it('serves GraphQL, which needs users and posts', async () => {
    const engine = serviceGraphqlEngine({ services, report: fail });
    const operation = engine.prepare({ query: '{ users { name posts { title author { name } } } }' });
    if ('errors' in operation) return expect.fail(JSON.stringify(operation));
    const result = await engine.execute(operation, undefined, makeContext(services, anonymous));
    const ada = { name: 'Ada', posts: [{ title: 'Looms', author: { name: 'Ada' } }] };
    expect(JSON.parse(JSON.stringify(result))).to.deep.equal({ data: { users: [ada] } });
  });

  it('does not compile where a service is used whose store is missing, and names the store at run time', () => {
    // @ts-expect-error -- there is no store of orders
    expect(() => String(services.orders)).to.throw(
      'the orders service needs the stores orders and products, which the storage does not have',
    );
    const maybe: { readonly users?: typeof users } = { users };
    // @ts-expect-error -- a store that may be missing is not there
    expect(createServices({ storage: maybe, policy: openPolicy }).users).to.be.an('object');
  });

  const partial = createServices({ storage: { users, orders, products }, policy: openPolicy });

  it('refuses to start an engine that needs more', () => {
    const options = { xml: xmlEncoder(contract.xmlNames), report: fail };
    expect(() => {
      // @ts-expect-error -- the contract needs all services
      serviceEngine({ services: partial, ...options });
    }).to.throw(/^the \w+ service needs the store \w+, which the storage does not have$/);
    expect(() => {
      // @ts-expect-error -- the schema needs posts
      serviceGraphqlEngine({ services: partial, report: fail });
    }).to.throw('the posts service needs the store posts, which the storage does not have');
  });

  it('makes all services over a whole storage', () => {
    const whole: Services = createServices({ storage: memoryStorage(), policy: openPolicy });
    const engine = serviceEngine({ services: whole, xml: xmlEncoder(contract.xmlNames), report: fail });
    expect(engine.operations).to.have.lengthOf(Object.keys(contract.operations).length);
  });
});
