/** Tests that nginx behind the proxy sees the requests that were checked, and no other, whatever the framing. */

import { expect } from 'chai';
import { NginxServer, nginxAbsence } from '../../support/nginx-server.js';
import { until } from '../../support/until.js';
import { randomFramings, sendFramings } from './framings.js';

describe('proxy: framings before nginx', function () {
  this.timeout(600_000);
  let nginx: NginxServer;

  before(async function () {
    if (nginxAbsence !== undefined) {
      console.log(`    skipped: ${nginxAbsence}`);
      this.skip();
    }
    nginx = await NginxServer.start(
      (port, directory) => `
  log_format seen '$status $request_method $request_uri';
  server {
    listen 127.0.0.1:${String(port)};
    access_log ${directory}/concordat.log seen;
    location = /healthz { access_log off; return 204; }
    location / { return 200; }
  }`,
    );
  });
  after(() => nginx.stop());

  it('lets it see the requests that were checked, and no other', async () => {
    const framings = randomFramings(Number(process.env['FRAMINGS'] ?? 10_000), 7);
    const { passed, refused } = await sendFramings(new URL(nginx.url), framings);
    // nginx knows no `OPTIONS *`, and no other request is malformed.
    const due = passed.map(({ method, target }) => (target === '*' ? '400 - -' : `200 ${method} ${target}`));
    const seen = async (): Promise<readonly string[]> =>
      (await nginx.log()).split('\n').filter((line) => line !== '');
    await until('all are logged', async () => (await seen()).length >= due.length);
    expect([...(await seen())].sort()).to.deep.equal(due.sort());
    expect([passed.length, refused].map((count) => count > 0)).to.deep.equal([true, true]);
  });
});
