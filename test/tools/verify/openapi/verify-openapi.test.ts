/** `concordat verify` finds every fault of a server, and none in a server without faults. */

import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import { RULES, type VerifyReport } from '../../../../src/tools/verify/run/verify-report.js';
import { verifyContracts } from '../../../../src/tools/verify/verify-contracts.js';
import { SHOP_FAULTS } from '../planted/shop-faults.js';
import { FAULTS, type FaultName, type NotebookServer, TOKEN, notebookServer } from './notebook-server.js';
import { someOf, untilFound } from '../../../support/budget.js';

const CONTRACT = 'test/tools/verify/openapi/notebook.yaml';

describe('verify', () => {
  let server: NotebookServer;
  before(async () => {
    server = await notebookServer();
  });
  after(() => {
    server.stop();
  });

  function run(fault?: FaultName, more: object = {}): Promise<VerifyReport> {
    server.reset();
    server.fault = fault;
    const budget = { seed: 1, requests: 5000, seconds: 600, warn: [], protect: [] };
    return verifyContracts({
      graphqlPath: '/graphql',
      headers: {},
      url: server.url,
      openapi: CONTRACT,
      credentials: { token: TOKEN },
      ...budget,
      ...more,
    });
  }

  it('finds nothing in a server without faults, and reaches each operation', async () => {
    const report = await run();
    expect(report.violations).to.deep.equal([]);
    expect(report.operations.filter(({ successes }) => successes === 0)).to.deep.equal([]);
    expect(report.isComplete).to.equal(true);
  });

  const faults = Object.entries(FAULTS) as readonly (readonly [FaultName, keyof typeof RULES])[];
  // Each rule has a fault that breaks it, whatever is tried.
  const firsts = faults.filter(
    ([, rule], index) => faults.findIndex(([, other]) => other === rule) === index,
  );
  for (const [fault, rule] of new Set([...firsts, ...someOf(faults, 24)])) {
    it(`finds that ${fault}`, async () => {
      const { violations } = await run(fault, untilFound(rule));
      expect(violations.map((each) => each.rule)).to.include(rule);
      // What it leads to is told too, but one fault is not told as many.
      for (const { operation } of violations) {
        const ofOperation = violations.filter((each) => each.operation === operation);
        expect(ofOperation.map(({ about }) => about)).to.have.length.at.most(5);
      }
    });
  }

  it('sends the same requests with the same seed, and others with another', async () => {
    const requestsOf = async (seed: number): Promise<readonly string[]> => {
      await run(undefined, { seed, requests: 200 });
      return [...server.seen];
    };
    const first = await requestsOf(7);
    expect(await requestsOf(7)).to.deep.equal(first);
    expect(await requestsOf(8)).not.to.deep.equal(first);
  });

  it('shows the smallest request, as a line of curl that sends it again without telling the secret', async () => {
    const { violations } = await run(
      'a fraction is taken for an integer',
      untilFound('broken-accepted', 'POST /notes'),
    );
    const violation = violations.find(({ operation }) => operation === 'POST /notes');
    expect(violation?.request.body).to.match(/^\{"title":"[^"]*","email":"[^"]*","stars":\d\.\d\}$/);
    const [line = ''] = violation?.curl ?? [];
    expect(line).to.include('"$TOKEN"').and.not.include('a-token');
    server.seen.length = 0;
    const { method, url, headers, body } = curlArguments(line, { TOKEN });
    const answer = await fetch(url, { method, headers, body });
    expect(answer.status).to.equal(201);
    const [again = ''] = server.seen;
    expect((JSON.parse(again) as readonly unknown[]).toSpliced(4, 1)).to.deep.equal([
      violation?.request.method,
      violation?.request.path,
      `Bearer ${TOKEN}`,
      'application/json',
      violation?.request.body,
    ]);
  });

  it('shows the steps that led to a violation', async () => {
    const { violations } = await run('what is deleted stays', untilFound('not-deleted'));
    const [violation] = violations;
    expect(violation?.curl.map((line) => curlArguments(line, { TOKEN }).method)).to.deep.equal([
      'POST',
      'DELETE',
      'GET',
    ]);
  });

  it('sends no more requests than its budget', async () => {
    const { requests, isComplete } = await run(undefined, { requests: 25 });
    expect([requests, isComplete]).to.deep.equal([25, false]);
    expect(server.seen).to.have.length(25);
  });

  it('sends none to an operation that is skipped, and changes nothing that is protected', async () => {
    await run(undefined, { requests: 300, except: ['operation:createNote'], protect: ['/notes/text'] });
    const seen = server.seen.map((text) => JSON.parse(text) as readonly [string, string]);
    const changed = seen.filter(([method, url]) => method !== 'GET' && url === '/notes/text');
    expect(changed).to.deep.equal([]);
    expect(seen.filter(([method, url]) => method === 'POST' && url === '/notes')).to.deep.equal([]);
  });

  it('only warns where it is told so', async () => {
    const { violations } = await run('a valid request ends in a 500', {
      warn: ['server-error at listNotes'],
      requests: 100,
    });
    expect(violations.map(({ isWarning }) => isWarning)).to.deep.equal([true]);
  });

  it('has a fault for each rule', () => {
    const rules = new Set<string>(
      [FAULTS, SHOP_FAULTS].flatMap((each) => Object.values<string | readonly string[]>(each).flat()),
    );
    expect([...rules].sort()).to.deep.equal(Object.keys(RULES).sort());
    expect(Object.keys(FAULTS)).to.have.length.at.least(24);
  });
});

/** What a shell passes to curl. */
function curlArguments(line: string, env: Readonly<Record<string, string>>) {
  const script = `curl() { printf '%s\\0' "$@"; }\n${line}`;
  const [, , , method = '', url = '', ...options] = execFileSync('sh', ['-c', script], { env })
    .toString()
    .split('\0');
  const after = (name: string): readonly string[] =>
    options.flatMap((option, index) => (option === name ? [options[index + 1] ?? ''] : []));
  const headers = Object.fromEntries(
    after('-H').map((header) => {
      const [, name = '', value = ''] = /^([^:]+): ?(.*)$/s.exec(header) ?? [];
      return [name, value];
    }),
  );
  return { method, url, headers, body: after('--data-binary')[0] ?? null };
}
