/** Works on the store of a world from this process, before the first process of the service runs and after the last. */

import { existsSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { type Services, createServices, openPolicy, operator } from '@concordat/core';
import { webhookSender } from '@concordat/core/events/webhooks';
import { argon2Hasher } from '@concordat/core/identity/argon2';
import { timestampOf } from '../../../src/core/model/timestamp.js';
import { cloudEvent } from '../../../src/core/operations/webhooks.js';
import { openStorage } from '../../../src/service/open/adapters.js';
import { readSettings } from '../../../src/service/settings/settings.js';
import { type SeededWebhook, store as fill } from '../crowd.js';
import { HttpReceivers } from './http-receivers.js';
import { type KeyMade, keyName } from './service-world.js';
import type { ServiceSettings } from './draw-service.js';

const open = (url: string) => openStorage({ database: readSettings({ DATABASE_URL: url }).database });

/**
 * Stores what is there from the start, as a deployer does.
 *
 * @param databaseUrl - of an empty database
 * @returns an API key that belongs to nobody, and may read all
 */
export async function fillStore(
  databaseUrl: string,
  settings: ServiceSettings,
  webhooks: readonly SeededWebhook[],
): Promise<KeyMade> {
  const { store } = settings;
  const path = databaseUrl.replace('sqlite:', '');
  // This process would keep the file open, which a restore refuses.
  const url = store === 'sqlite' ? `sqlite:${path}.first` : databaseUrl;
  const { storage } = await open(url);
  const passwordHash = await argon2Hasher().hash('password root');
  await fill(storage, settings, webhooks, Date.now(), passwordHash);
  const { apiKeys } = createServices({ storage, policy: openPolicy });
  const { apiKey, key } = await apiKeys.create(operator, { name: keyName });
  await storage.close();
  for (const end of store === 'sqlite' ? ['', '-wal'] : [])
    if (existsSync(`${path}.first${end}`)) await copyFile(`${path}.first${end}`, path + end);
  return { id: apiKey.id, key };
}

/** Delivers all that is due in the next days. The names of the receivers lead to loopback. */
export async function deliverAll(databaseUrl: string): Promise<void> {
  const { storage } = await open(databaseUrl);
  let hours = 0;
  const sender = webhookSender({
    allow: HttpReceivers.allowed.split(','),
    lookup: (_, { all }, callback) => {
      if (all === true) callback(null, [{ address: '127.0.0.1', family: 4 }]);
      else callback(null, '127.0.0.1', 4);
    },
  });
  try {
    const { outbox }: Services = createServices({
      storage,
      policy: openPolicy,
      clock: { now: () => timestampOf(Date.now() + hours * 3_600_000) },
      outbox: { sender, encode: cloudEvent },
    });
    for (; hours < 100 && (hours === 0 || (await outbox.waiting()).count > 0); hours += 1)
      await outbox.deliverDue();
  } finally {
    sender.close();
    await storage.close();
  }
}
