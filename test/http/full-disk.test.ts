/** SQLite on a disk that is full: a real file system of two megabytes, which only root may mount. */
import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServiceAnswer } from '../support/service.js';
import { TestService } from '../support/service.js';
import { codesOf, post } from './graphql-requests.js';
import { createUser, expectError, userInput } from './user-requests.js';

const sentence = 'The disk of the database is full: try again later';

describe('a full disk', () => {
  const directory = mkdtempSync(join(tmpdir(), 'concordat-full-'));
  const ballast = join(directory, 'ballast');
  const service = new TestService();
  let isMounted = false;

  before(async function () {
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', directory], { stdio: 'ignore' });
    } catch {
      console.log('      skipped: only root may mount a file system');
      return this.skip();
    }
    isMounted = true;
    await service.start({ database: { kind: 'sqlite', path: join(directory, 'service.db') } });
  });
  after(async () => {
    await service.stop();
    // SQLite's package closes its files only when their statements are garbage-collected.
    if (isMounted) execFileSync('umount', ['--lazy', directory]);
    rmSync(directory, { recursive: true });
  });

  /** Takes all room that is left, to the last byte. */
  function fill(): void {
    for (const size of [65_536, 4_096, 1]) {
      try {
        for (;;) writeFileSync(ballast, 'x'.repeat(size), { flag: 'a' });
      } catch (error) {
        expect(error).to.have.property('code', 'ENOSPC');
      }
    }
  }

  async function readiness(): Promise<string> {
    const answer = await fetch(`${service.url}/readyz`);
    return `${String(answer.status)} ${await answer.text()}`;
  }

  async function countUsers(): Promise<number> {
    return ((await service.get('/api/users')).body as { total: number }).total;
  }

  it('refuses writes with a 503 that says so, keeps what was acknowledged, and recovers without a restart', async () => {
    const user = await createUser(service);
    expect(await readiness()).to.equal(
      '200 {"status":"ready","dependencies":{"database":"up","event broker":"up"}}',
    );
    fill();

    let created = 1;
    let refused: ServiceAnswer | undefined;
    while (refused === undefined) {
      const answer = await service.post('/api/users', userInput());
      if (answer.status === 201) created += 1;
      else refused = answer;
    }
    expectError(refused, 503, sentence);
    expect(Number(refused.headers['retry-after'])).to.be.at.least(1);
    const items = [{ name: 'x'.repeat(200), unitPrice: 1, quantity: 1 }];
    const order = await service.post('/api/orders', {
      userId: user.id,
      items: Array.from({ length: 100 }, () => items[0]),
    });
    expectError(order, 503, sentence);
    const posted = await post(service, {
      query: `mutation { createPost(title: "T", content: "${'x'.repeat(50_000)}", authorId: ${user.id}) { id } }`,
    });
    expect([posted.status, codesOf(posted.result ?? {})]).to.deep.equal([503, ['SERVICE_UNAVAILABLE']]);
    expect(await readiness()).to.equal(`503 {"error":"${sentence}"}`);

    expect(await countUsers(), 'what was acknowledged').to.equal(created);
    expect((await service.get(`/api/users/${user.id}/orders`)).body).to.deep.equal([]);
    expect((await service.get('/api/posts')).body).to.deep.include({ data: [] });

    rmSync(ballast);
    expect(await readiness()).to.equal(
      '200 {"status":"ready","dependencies":{"database":"up","event broker":"up"}}',
    );
    expect((await service.post('/api/orders', { userId: user.id, items })).status).to.equal(201);
    await createUser(service);
    expect(await countUsers()).to.equal(created + 1);
  });
});
