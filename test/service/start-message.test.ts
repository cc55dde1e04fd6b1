/** Tests the start message, and that the start page matches it. */

import { once } from 'node:events';
import { hostname } from 'node:os';
import { expect } from 'chai';
import { until } from '../support/until.js';
import { start, useDirectory } from './run.js';

const SIGN_INS = [
  'ada@example.com, password concordat-demo (admin)',
  'grace@example.com, password concordat-demo (user)',
  'katherine@example.com, password concordat-demo (user)',
];

describe('the start message', () => {
  const file = useDirectory();

  /** Runs the service; `use` receives its address and the lines of the message by their labels. */
  async function running(
    env: Readonly<Record<string, string>>,
    use: (url: string, said: ReadonlyMap<string, readonly string[]>) => void | Promise<void>,
  ): Promise<void> {
    const run = start(['serve'], { PORT: '0', LOG_LEVEL: 'silent', ...env }, { isTTY: true });
    const [message] = (await once(run.stdout, 'data')) as [Buffer];
    const [first = '', ...lines] = message.toString().trimEnd().split('\n');
    const said = new Map<string, string[]>();
    for (const line of lines) {
      const [, what = line, text = ''] = /^ {2}(\w+(?: \w+)*) {2,}(.*)$/.exec(line) ?? [];
      said.set(what, [...(said.get(what) ?? []), text]);
    }
    try {
      await use(
        /^Concordat \d+\.\d+\.\S+ listens on (http:\S+)$/.exec(first)?.[1] ?? expect.fail(first),
        said,
      );
    } finally {
      run.stop();
      expect(await run.ended, run.stderr.text).to.equal(0);
    }
  }

  it('has the address, the pages, the store, the policy and the demo sign-ins', () =>
    running({ DATABASE_URL: 'memory:' }, async (url, said) => {
      expect(Object.fromEntries(said)).to.deep.equal({
        'start here': [`${url}/`],
        REST: [`${url}/docs`],
        GraphQL: [`${url}/graphql`],
        data: ['memory, gone when the service stops'],
        policy: ['open: nearly everything is allowed to everybody'],
        'sign in': SIGN_INS,
        warning: [
          'tokens end with this process, unless ACCESS_TOKEN_SECRET and REFRESH_TOKEN_SECRET are both given',
        ],
      });
      for (const key of ['start here', 'REST', 'GraphQL']) {
        const page = await fetch(said.get(key)?.[0] ?? '', { headers: { accept: 'text/html' } });
        expect([page.status, page.headers.get('content-type')], key).to.deep.equal([
          200,
          'text/html; charset=utf-8',
        ]);
      }
    }));

  it('has no sign-ins and no warnings without demo data and with all secrets given', () => {
    const secrets = { ACCESS_TOKEN_SECRET: 'a'.repeat(32), REFRESH_TOKEN_SECRET: 'b'.repeat(32) };
    const settings = {
      DATABASE_URL: `sqlite:${file('empty.db')}`,
      DEMO_DATA: 'off',
      AUTH_POLICY: 'protected',
    };
    return running({ ...settings, ...secrets }, async (url, said) => {
      expect([...said.keys()]).to.deep.equal(['start here', 'REST', 'GraphQL', 'data', 'policy']);
      expect(said.get('data')).to.deep.equal([`SQLite, ${file('empty.db')}`]);
      expect(said.get('policy')?.[0]).to.match(/^protected: /);
      expect(await (await fetch(url)).text()).not.to.include('concordat-demo');
    });
  });

  it('warns of what was probably not meant', () =>
    running(
      { DATABASE_URL: 'memory:', DEMO_DATA: 'off', NODE_ENV: 'prod', RATE_LIMTI: '4' },
      (_url, said) => {
        expect(said.get('warning')?.slice(0, 2)).to.deep.equal([
          'NODE_ENV=prod counts as development: only production makes the service strict',
          'RATE_LIMTI is ignored: the setting is RATE_LIMIT',
        ]);
      },
    ));

  it('shows on a later run the sign-ins that are still valid, like the start page', async () => {
    const settings = { DATABASE_URL: `sqlite:${file('kept.db')}` };
    await running(settings, async (url, said) => {
      expect(said.get('sign in')).to.deep.equal(SIGN_INS);
      const credentials = { email: 'ada@example.com', password: 'concordat-demo' };
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify(credentials);
      const login = await fetch(`${url}/api/auth/login`, { method: 'POST', headers, body });
      const { accessToken } = (await login.json()) as { readonly accessToken: string };
      const changed = await fetch(`${url}/api/users/1`, {
        method: 'PUT',
        headers: { ...headers, authorization: `Bearer ${accessToken}` },
        body: JSON.stringify({ name: 'Ada', email: credentials.email, password: 'one of her own' }),
      });
      expect(changed.status).to.equal(200);
    });
    await running(settings, async (url, said) => {
      expect(said.get('sign in')).to.deep.equal(SIGN_INS.slice(1));
      const page = await (await fetch(url)).text();
      expect(page).to.include('grace@example.com').and.not.to.include('ada@example.com');
    });
    await running({ ...settings, DEMO_DATA: 'off' }, (_url, said) => {
      expect(said.has('sign in')).to.equal(false);
    });
  });

  it('is lines of the log where nobody reads it at a terminal, at any level', async () => {
    const run = start(['serve'], { PORT: '0', LOG_LEVEL: 'silent', DATABASE_URL: 'memory:' });
    let text = '';
    run.stdout.on('data', (chunk) => (text += String(chunk)));
    await until('the warning is there', () => text.includes('ACCESS_TOKEN_SECRET'));
    run.stop();
    expect(await run.ended, run.stderr.text).to.equal(0);
    const lines = text.trimEnd().split('\n');
    const [message, warning, ...others] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(others).to.deep.equal([]);
    expect(message).to.include({ level: 30, pid: process.pid, hostname: hostname(), policy: 'open' });
    expect(message?.['demoSignIns']).to.have.length(3);
    expect(String(message?.['msg'])).to.equal(
      `Concordat ${String(message?.['version'])} listens on ${String(message?.['url'])} with ${String(message?.['store'])}`,
    );
    expect(warning).to.include({ level: 40 });
  });
});
