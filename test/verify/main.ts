/**
 * Verifies the service against its contracts on every store, signed in as an admin: `npm run test:verify`. The seed is 1, so that a run
 * cannot fail by luck; `npm run test:verify -- 7` or `SEED=7` takes another.
 */

import { verifyContracts } from '../../src/tools/verify/verify-contracts.js';
import { verifyText } from '../../src/tools/verify/run/verify-report.js';
import { serve } from '../../src/service/serve.js';
import { readSettings } from '../../src/service/settings/settings.js';
import { askedNameServer, startNameServer } from '../support/name-server.js';
import { OidcServer } from '../support/oidc-server.js';
import { removeStores, stores } from '../support/stores.js';

const admin = { email: 'root@example.com', password: 'correct horse battery' };

/** Refusals that the contract describes in words only, because no schema can. */
const WARN = [
  // No schema says that two parameters exclude each other: `cursor` beside `page` or beside a version is a 400.
  'valid-refused at listUsers',
  // An order stays with its user, whom no schema knows.
  'valid-refused at replaceOrder',
  // A schema could say that a status excludes items, but not in a sentence that names the place.
  'valid-refused at updateOrder',
  // Whether an address leads into the own network is looked up.
  'valid-refused at createWebhook',
];

/** They end the session that all other requests are sent with. */
const SKIP = ['operation:logout', 'operation:endUserSessions'];

/** The requests are the bound: how many a second has depends on the machine. */
const SECONDS = 600;

async function get<Body>(url: string, init: RequestInit): Promise<Body> {
  const answer = await fetch(url, init);
  if (!answer.ok) throw new Error(`${url} answered ${String(answer.status)}`);
  return (await answer.json()) as Body;
}

const seed = Number(process.argv[2] ?? process.env['SEED'] ?? 1);
if (!Number.isSafeInteger(seed)) throw new Error('The seed is not a whole number.');
let isFine = true;
/** The hosts of the addresses that are sent for webhooks: the example of the contract, and the values of the format `uri`. */
const RECEIVERS = ['stock.example.com', 'example.com'];
const names = await startNameServer(Object.fromEntries(RECEIVERS.map((name) => [name, '127.0.0.1'])));
process.env['NAME_SERVER'] = names.port;
await import(askedNameServer);
/** Its sign-ins are only started: to finish one needs a browser, and other tests do that. */
const provider = new OidcServer();
try {
  await provider.start('http://localhost/api/auth/idp/callback');
  for (const { name, make } of stores) {
    const settings = readSettings({
      PORT: '0',
      DATABASE_URL: 'memory:',
      DEMO_DATA: 'on',
      LOG_LEVEL: 'silent',
      OUTBOX: 'on',
      WEBHOOK_ALLOW: RECEIVERS.join(),
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
      PUBLIC_URL: 'http://localhost',
      IDP_ISSUER: provider.issuer,
      IDP_CLIENT_ID: OidcServer.clientId,
      IDP_CLIENT_SECRET: OidcServer.clientSecret,
    });
    const report = (error: unknown): void => {
      isFine = false;
      console.error(error);
    };
    const service = await serve({ ...settings, database: await make() }, { report });
    const { accessToken } = await get<{ readonly accessToken: string }>(
      `${service.url}/api/auth/login?tokens=pair`,
      { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(admin) },
    );
    const authorization = `Bearer ${accessToken}`;
    const { id } = await get<{ readonly id: string }>(`${service.url}/api/profile`, {
      headers: { authorization },
    });
    const { key } = await get<{ readonly key: string }>(`${service.url}/api/keys`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: '{"name":"Verification"}',
    });
    const found = await verifyContracts({
      url: service.url,
      openapi: 'openapi.yaml',
      schema: 'schema.graphql',
      graphqlPath: '/graphql',
      credentials: { bearerAuth: accessToken, apiKeyAuth: key },
      headers: { authorization },
      seed,
      requests: 5000,
      seconds: SECONDS,
      warn: WARN,
      except: SKIP,
      protect: [`/api/users/${id}`, id],
    });
    console.log(`${name}\n${verifyText(found, false)}\n`);
    isFine &&= found.violations.every(({ isWarning }) => isWarning);
    await service.stop();
  }
} finally {
  names.stop();
  await provider.stop();
  await removeStores();
}
process.exitCode = isFine ? 0 : 1;
