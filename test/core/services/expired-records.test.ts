/** Tests that expired records of every kind are deleted to the last, on every store, by one process at a time. */
import { expect } from 'chai';
import pg from 'pg';
import { timestampOf } from '../../../src/core/model/timestamp.js';
import { once } from '../../../src/core/ports/idempotency-store.js';
import type { Storage } from '../../../src/core/ports/storage.js';
import { everyAuditEntry } from '../../../src/core/ports/audit-store.js';
import { deleteExpired } from '../../../src/core/services/expired-records.js';
import { openStorage } from '../../../src/service/open/adapters.js';
import type { DatabaseSettings } from '../../../src/service/settings/data.js';
import { bareUser } from '../../support/bare-records.js';
import { onEveryDatabase } from '../../support/stores.js';

const momentOf = (second: number) => timestampOf(Date.UTC(2026, 0, 1) + second * 1000);
/** More than two rounds. */
const many = 2_001;
const lamp = { name: 'Lamp', description: undefined, priceCents: 1 };

onEveryDatabase('expired records', (make) => {
  let storage: Storage;
  let database: DatabaseSettings['database'];

  before(async () => {
    database = await make();
    ({ storage } = await openStorage({ database }));
    const ada = {
      ...bareUser,
      name: 'Ada',
      email: 'ada@example.com',
      role: 'user',
      status: 'active',
    } as const;
    const user = await storage.users.create(ada, momentOf(0));
    if (user === 'email-taken') throw new Error('the store is new');
    await storage.transaction(async (tx) => {
      for (let number = 1; number <= many; number += 1) {
        const expiresAt = momentOf(number);
        const key = { caller: 'Ada', keyHash: `key ${number}`, requestHash: 'hash', expiresAt };
        await tx.refreshTokens.create({ hash: `token ${number}`, userId: user.id, expiresAt }, user.version);
        await once(tx, key, momentOf(0), () => tx.products.create(lamp));
      }
    });
  });
  after(() => storage.close());

  /** Deletes what has expired at this second. @returns the numbers of the rounds, by kind */
  async function roundsAt(second: number, signal?: AbortSignal): Promise<Record<string, number[]>> {
    const rounds: Record<string, number[]> = {};
    const note = (kind: string, count: number) => void (rounds[kind] ??= []).push(count);
    await deleteExpired(storage, momentOf(second), note, signal);
    return rounds;
  }

  const isKept = async (number: number) => [
    (await storage.refreshTokens.find(`token ${number}`)) !== undefined,
    (await storage.idempotency.find({ caller: 'Ada', keyHash: `key ${number}` }, momentOf(0))) !== undefined,
  ];

  it('are kept while another process deletes', async function () {
    if (database.kind !== 'postgres') return this.skip(); // one transaction writes at a time in the others
    const other = new pg.Client(database.url);
    await other.connect();
    const lock = "hashtext('concordat expired ' || current_schema())";
    await other.query(`select pg_advisory_lock(${lock})`);
    expect(await roundsAt(many + 1)).to.deep.equal({});
    await other.end();
  });

  it('are kept after a round in which the service stops', async () => {
    expect(await roundsAt(many + 1, AbortSignal.abort())).to.deep.equal({});
  });

  it('are deleted in rounds, the oldest first, until none is left, and others are kept', async () => {
    expect(await roundsAt(3)).to.deep.equal({ refresh_tokens: [2], idempotency_keys: [3] });
    expect(await isKept(2)).to.deep.equal([false, false]);
    expect(await isKept(4)).to.deep.equal([true, true]);
    expect(await roundsAt(many)).to.deep.equal({
      refresh_tokens: [1_000, 998],
      idempotency_keys: [1_000, 998],
    });
    expect(await isKept(many)).to.deep.equal([true, false]);
    expect(await roundsAt(many + 1)).to.deep.equal({ refresh_tokens: [1] });
    expect(await roundsAt(many + 1)).to.deep.equal({});
  });

  it('include entries of the audit log that are older than their days, and no others', async () => {
    const day = 24 * 60 * 60;
    await storage.audit.add(
      [0, 1].map((days) => ({
        ...{ at: momentOf(days * day), actor: 'operator', action: 'command', outcome: 'done' },
        ...{ target: undefined, address: undefined, detail: String(days) },
      })),
    );
    const rounds: string[] = [];
    await deleteExpired(storage, momentOf(2 * day), (kind) => void rounds.push(kind), undefined, 2);
    expect(rounds).to.not.include('audit_log');
    await deleteExpired(storage, momentOf(2 * day + 1), (kind) => void rounds.push(kind), undefined, 2);
    expect(rounds).to.include('audit_log');
    const left = await storage.audit.list(everyAuditEntry, { after: undefined, limit: 9 });
    expect(left.map(({ detail }) => detail)).to.deep.equal(['1']);
  });
});
