/** Where the console is served, and how often its page may be asked for. */
import { expect } from 'chai';
import { openPolicy, protectedPolicy } from '../../src/core/services/rights/policy.js';
import { hasConsole } from '../../src/service/guards/request-guards.js';
import { readSettings } from '../../src/service/settings/settings.js';
import { useService } from '../support/service.js';

describe('the console', () => {
  const rows: readonly (readonly [expected: boolean, variables: Readonly<Record<string, string>>])[] = [
    [true, {}],
    [true, { AUTH_POLICY: 'open' }],
    [true, { HOST: '::1' }],
    [false, { AUTH_POLICY: 'protected' }],
    [false, { AUTH_POLICY: 'open', HOST: '0.0.0.0' }],
    [false, { AUTH_POLICY: 'open', HOST: '192.0.2.1' }],
    [false, { TRUST_PROXY: '1' }],
    [false, { LISTEN_FDS: '1', LISTEN_PID: String(process.pid) }],
    [false, { CONSOLE: 'off' }],
    [true, { CONSOLE: 'on', AUTH_POLICY: 'protected', HOST: '0.0.0.0' }],
  ];
  for (const [expected, variables] of rows)
    it(`is ${expected ? 'on' : 'off'} with ${JSON.stringify(variables)}`, () => {
      expect(hasConsole(undefined, readSettings(variables))).to.equal(expected);
    });

  it('is off under a policy of the application, unless it is open', () => {
    expect(hasConsole(protectedPolicy, readSettings({}))).to.equal(false);
    expect(hasConsole({ ...openPolicy }, readSettings({}))).to.equal(false);
    expect(hasConsole(openPolicy, readSettings({}))).to.equal(true);
  });

  it('is switched with on and off only', () => {
    expect(() => readSettings({ CONSOLE: 'yes' })).to.throw('CONSOLE must be on or off, not yes');
  });

  describe('where it is off', () => {
    const service = useService({ console: false });

    it('is not found, and no page leads there', async () => {
      expect((await fetch(`${service.url}/console`)).status).to.equal(404);
      for (const path of ['/', '/docs'])
        expect(await (await fetch(service.url + path)).text()).not.to.include('console');
    });
  });

  describe('where it is on', () => {
    const service = useService({ console: true });

    it('is not framed, not kept, and runs no script but its own', async () => {
      const { status, headers } = await fetch(`${service.url}/console`);
      expect(status).to.equal(200);
      expect(headers.get('cache-control')).to.equal('no-store');
      expect(headers.get('content-security-policy'))
        .to.include("script-src 'self';")
        .and.include("style-src 'self';")
        .and.include("frame-ancestors 'none'")
        .and.include("form-action 'none'");
    });

    it('has a limit of its own, which leaves the operations alone', async () => {
      const statuses: number[] = [];
      for (let count = 0; count < 31; count++) {
        const answer = await fetch(`${service.url}/console`);
        statuses.push(answer.status);
        await answer.arrayBuffer();
      }
      expect(statuses.slice(0, 25)).to.deep.equal(Array(25).fill(200));
      expect(statuses.at(-1)).to.equal(429);
      expect((await service.get('/api/users')).status).to.equal(200);
      expect((await fetch(`${service.url}/`)).status).to.equal(200);
    });
  });
});
