/** The verification of a GraphQL server: what it finds, and what it sends. */

import { expect } from 'chai';
import { verifyContracts } from '../../../../src/tools/verify/verify-contracts.js';
import { RULES, type VerifyReport } from '../../../../src/tools/verify/run/verify-report.js';
import { FAULTS, type Fault } from './library-faults.js';
import { HEADERS, libraryServer } from './library-server.js';
import { runs, someOf, untilFound } from '../../../support/budget.js';

describe('verify a GraphQL schema', () => {
  let server: Awaited<ReturnType<typeof libraryServer>>;
  before(async () => {
    server = await libraryServer();
  });
  after(() => {
    server.stop();
  });

  function run(fault?: Fault, more: object = {}): Promise<VerifyReport> {
    server.reset();
    server.fault = fault;
    // A subscription takes its time.
    const except = /event|WebSocket/.test(fault ?? '') ? [] : ['operation:Subscription.bookAdded'];
    const budget = { seed: 1, requests: 4000, seconds: 600, warn: [], except, protect: [] };
    const schema = 'test/tools/verify/graphql/library.graphql';
    const target = { url: server.url, graphqlPath: '/graphql', headers: HEADERS, credentials: {} };
    return verifyContracts({ ...target, schema, ...budget, ...more });
  }

  it('finds nothing in a server without faults, and reaches each operation', async () => {
    const report = await run(undefined, { except: [] });
    expect(report.violations).to.deep.equal([]);
    expect(report.operations.filter(({ successes }) => successes === 0)).to.deep.equal([]);
    expect(report.isComplete).to.equal(true);
  });

  const faults = Object.entries(FAULTS) as readonly (readonly [keyof typeof FAULTS, string])[];
  // Each rule has a fault that breaks it, whatever is tried.
  const firsts = faults.filter(
    ([, rule], index) => faults.findIndex(([, other]) => other === rule) === index,
  );
  for (const [fault, rule] of new Set([...firsts, ...someOf(faults, 24)])) {
    it(`finds that ${fault}`, async () => {
      const { violations } = await run(fault, { ...untilFound(rule), requests: runs(4000) });
      expect(violations.map((each) => each.rule)).to.include(rule);
      // One fault is not told as many.
      for (const { operation } of violations) {
        const ofOperation = violations.filter((each) => each.operation === operation);
        expect(ofOperation.map(({ about }) => about)).to.have.length.at.most(3);
      }
    });
  }

  it('has a fault for each rule that a GraphQL server can break', () => {
    const ofRest = ['undeclared-status', 'changed'];
    const rules = Object.keys(RULES).filter(
      (rule) => !ofRest.includes(rule) && !/^wrong-(?!answer)/.test(rule),
    );
    expect([...new Set<string>(Object.values(FAULTS))].sort()).to.deep.equal(rules.sort());
  });

  it('sends the same requests with the same seed, and others with another', async () => {
    const requestsOf = async (seed: number): Promise<readonly string[]> => {
      await run(undefined, { seed, requests: 100 });
      return [...server.seen];
    };
    const first = await requestsOf(7);
    expect(await requestsOf(7)).to.deep.equal(first);
    expect(await requestsOf(8)).not.to.deep.equal(first);
  });

  it('shows the smallest request, as a line of curl that does not tell the secret', async () => {
    const { violations } = await run('a Float is a text', { requests: 100 });
    const [violation] = violations;
    expect(violation?.message).to.equal('Book.rating: "4.5" is not a valid Float');
    const { query } = JSON.parse(violation?.request.body ?? '') as { readonly query: string };
    const selected = query.replaceAll(/\s+/g, ' ');
    expect(selected).to.match(
      /^mutation Verify \{ createBook\(\s*input: \{ ?title: "\w+", pages: 1, authorId: "\d+" ?\}\s*\) \{ rating \} \}$/,
    );
    expect(violation?.curl.join('')).to.include('"$AUTHORIZATION"').and.not.include('a-token');
  });

  it('shows the steps that led to a violation', async () => {
    const { violations } = await run('what is deleted stays', { requests: 150 });
    const steps = violations[0]?.curl.map(
      (line) => /Verify.{1,6}?(\w+)\(/s.exec(line.replaceAll('\\n', ' '))?.[1],
    );
    expect(steps).to.deep.equal(['createBook', 'deleteBook', 'book']);
  });

  it('shows what it said over WebSocket, without the secret', async () => {
    const { violations } = await run('over WebSocket, an event has another id', { requests: 150 });
    const [{ request, curl, answer } = { request: undefined, curl: [], answer: undefined }] = violations;
    const [init = '', ping = '', subscribe = ''] = (request?.body ?? '').split('\n');
    expect([init, ping].map((line) => JSON.parse(line) as unknown)).to.deep.equal([
      { type: 'connection_init', payload: HEADERS },
      { type: 'ping' },
    ]);
    expect(JSON.parse(subscribe)).to.have.nested.property('payload.query').that.includes('bookAdded');
    expect(answer?.text).to.match(/^\{"type":"ping"\}\n\{"type":"connection_ack"\}\n[^]*"id":"7"/);
    expect(curl.join('')).to.match(
      /^\{ printf .*"\$AUTHORIZATION".*; sleep 1; printf .* \| websocat -n .* ws:\/\/127.0.0.1:\d+\/graphql$/,
    );
    expect(curl.join('')).to.not.include('a-token');
  });

  it('does without WebSocket where the server has none', async () => {
    const { violations, operations } = await run('there is no WebSocket for an event', { requests: 150 });
    expect(violations).to.deep.equal([]);
    expect(operations.find(({ id }) => id === 'Subscription.bookAdded')?.successes).to.be.greaterThan(0);
  });

  it('sends no more requests than its budget', async () => {
    const { requests, isComplete } = await run(undefined, { requests: 25 });
    expect([requests, isComplete, server.seen.length]).to.deep.equal([25, false, 25]);
  });

  it('sends none to an operation that is skipped, and none that changes what is protected', async () => {
    const except = ['operation:Mutation.renameBook', 'operation:Subscription.bookAdded'];
    await run(undefined, { requests: 400, except, protect: ['2'] });
    const bodies = server.seen.map((text) => (JSON.parse(text) as readonly string[])[4] ?? '');
    expect(bodies.filter((body) => body.includes('renameBook'))).to.deep.equal([]);
    const changes = bodies.filter((body) => body.includes('mutation'));
    expect(changes).to.have.length.greaterThan(50);
    expect(changes.filter((body) => /\(id: \\"2\\"|"id":"2"/.test(body))).to.deep.equal([]);
  });

  it('only warns where it is told so, for a rule, an operation or a field', async () => {
    for (const place of ['', ' at Book.rating', ' at Mutation.createBook']) {
      const more = { warn: [`wrong-answer${place}`], requests: 100 };
      const { violations } = await run('a Float is a text', more);
      expect(violations.map(({ isWarning }) => isWarning)).to.deep.equal([true]);
    }
  });

  it('needs GraphQL at its path, and knows the operations of its schema', async () => {
    const refused = async (more: object): Promise<string> =>
      run(undefined, more).then(
        () => 'nothing',
        (error: unknown) => String(error),
      );
    expect(await refused({ path: '/api' })).to.equal(`Error: ${server.url} has no GraphQL at /api`);
    expect(await refused({ except: ['operation:Query.film'] })).to.equal(
      'Error: operation:Query.film selects no operation',
    );
  });
});
