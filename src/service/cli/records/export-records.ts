/** Exports the records of the store to a file or to the standard output. */

import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import {
  type AfterSlice,
  type Id,
  type Order,
  type RecordName,
  type Storage,
  type User,
  decimalOf,
  everyAuditEntry,
  everyComment,
  everyOrder,
  everyUser,
  givenFields,
  systemClock,
} from '@concordat/core';
import type { SqlStorage, TableRow } from '@concordat/core/storage/sqlite';
import { type Terminal, progressLine } from '@concordat/runtime/terminal';

/**
 * @param out - the file; the standard output when undefined
 * @returns the number of records written; the reader may have stopped before the last
 */
export async function exportRecords(
  terminal: Terminal,
  storage: SqlStorage,
  name: keyof typeof exportKinds | 'store',
  out: string | undefined,
  userId?: string,
): Promise<number> {
  let count = 0;
  const kind = name === 'store' ? undefined : exportKinds[name];
  const isWatched = out !== undefined || terminal.stdout.isTTY !== true;
  const { stderr } = terminal;
  const progress = progressLine('exporting', stderr);
  const isShown = isWatched && stderr.isTTY === true;
  const total = isShown ? await (kind ?? exportKinds.users).total(storage) : 0;
  const onRecords = (records: number): void => {
    count = records;
    if (isShown) progress(records, total);
  };
  const text = kind
    ? textOf(kind, storage, onRecords)
    : rowsText(storage.rows.read(userId), userId !== undefined, onRecords);
  try {
    if (out === undefined) await toOutput(text, terminal);
    else await toFile(text, out, kind ? 0o666 : 0o600);
  } finally {
    if (isShown) progress(total, total);
  }
  return count;
}

/** @param isUser - whether it is one user, whose earlier tokens must not be valid again when they are given back */
async function* rowsText(
  rows: AsyncIterable<TableRow>,
  isUser: boolean,
  onRecords: (count: number) => void,
): AsyncGenerator<string> {
  let count = 0;
  for await (const { table, row } of rows) {
    const sessions = isUser && table === 'users' && { sessions_from: systemClock.now() };
    yield `${JSON.stringify({ table, row: { ...row, ...sessions } })}\n`;
    onRecords((count += 1));
  }
}

const PAGE = 500;

/**
 * Yields all records of a kind, ascending by id, one page per piece, in constant memory. A record that is written while the export
 * runs may be missing.
 *
 * @param onRecords - called with the number of records so far
 */
async function* textOf(
  { read }: ExportKind,
  storage: Storage,
  onRecords: (count: number) => void,
): AsyncGenerator<string> {
  let after: Id | undefined;
  let count = 0;
  for (;;) {
    const page = await read(storage, { after, limit: PAGE });
    if (page.length > 0) yield page.map((record) => `${JSON.stringify(record)}\n`).join('');
    onRecords((count += page.length));
    if (page.length < PAGE) return;
    after = page.at(-1)?.id;
  }
}

async function toOutput(text: AsyncIterable<string>, { stdout }: Terminal): Promise<void> {
  try {
    await pipeline(text, stdout, { end: false });
  } catch (error) {
    // The reader of the pipe has stopped.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPIPE')) throw error;
  }
}

/** Writes under another name until the file is complete, so that a partial file is not mistaken for a complete one. */
async function toFile(text: AsyncIterable<string>, out: string, mode: number): Promise<void> {
  const part = `${out}.${randomUUID()}.part`;
  try {
    await pipeline(text, createWriteStream(part, { mode, flags: 'wx' }));
    await rename(part, out);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

/** A kind of records that can be exported. */
interface ExportKind {
  /** The number of records, to show the progress of an export. */
  readonly total: (storage: Storage) => Promise<number>;
  /** Reads the fields of a slice of the records, ascending by id. What is undefined is not written. */
  readonly read: (storage: Storage, slice: AfterSlice) => Promise<readonly { readonly id: Id }[]>;
}

export const exportKinds = {
  users: {
    total: ({ users }) => users.count(everyUser),
    read: async ({ users, ownFields }, slice) =>
      (await users.list(everyUser, slice)).map((user) => ({
        ...exportedUser(user),
        ...storedFields(ownFields, 'User', user),
      })),
  },
  products: {
    total: ({ products }) => products.count(),
    read: async ({ products, ownFields }, slice) =>
      Promise.all(
        (await products.list(slice)).map(async ({ priceCents, stored: values, ...product }) => {
          const categories = await products.listCategories(product.id);
          const names = categories === 'not-found' ? [] : categories.map(({ name }) => name);
          const fields = { ...product, version: undefined, price: decimalOf(priceCents), categories: names };
          return { ...fields, ...storedFields(ownFields, 'Product', { stored: values }) };
        }),
      ),
  },
  orders: {
    total: ({ orders }) => orders.count(everyOrder),
    read: async ({ orders, users, ownFields }, slice) => {
      const page = await orders.list(everyOrder, slice);
      const found = await users.findMany(page.map(({ userId }) => userId));
      return page.map((order, index) => ({
        ...exportedOrder(order, found[index]),
        ...storedFields(ownFields, 'Order', order),
      }));
    },
  },
  comments: {
    total: ({ comments }) => comments.count(everyComment),
    read: async ({ comments, users, ownFields }, slice) => {
      const page = await comments.list(everyComment, slice);
      const found = await users.findMany(page.map(({ userId }) => userId));
      return page.map((comment, index) => ({
        ...comment,
        stored: undefined,
        userEmail: found[index]?.email,
        ...storedFields(ownFields, 'Comment', comment),
      }));
    },
  },
  posts: {
    // Posts are not counted; their progress is shown by id.
    total: async ({ posts }) => Number((await posts.listBefore(undefined, 1))[0]?.id ?? 0),
    read: async ({ posts, users, ownFields }, slice) => {
      const page = await posts.list(slice);
      const found = await users.findMany(page.map(({ authorId }) => authorId));
      return page.map((post, index) => ({
        ...post,
        stored: undefined,
        authorEmail: found[index]?.email,
        ...storedFields(ownFields, 'Post', post),
      }));
    },
  },
  audit: {
    // The progress is shown by id, as for posts.
    total: async ({ audit }) => Number((await audit.listBefore(everyAuditEntry, undefined, 1))[0]?.id ?? 0),
    read: async ({ audit }, slice) =>
      (await audit.list(everyAuditEntry, slice)).map((entry) => ({ ...entry })),
  },
} satisfies Record<string, ExportKind>;

/** All values of the application's fields, hidden ones too: an import takes them. */
function storedFields(
  kept: Storage['ownFields'],
  name: RecordName,
  { stored = {} }: { readonly stored?: object | undefined },
): object {
  return givenFields(kept, name, stored, 'all') ?? {};
}

/** Names every member, so that one that the model gets, and that may be secret, does not compile before somebody has decided. */
function exportedUser({ id, name, email, phone, city, role, status, createdAt, updatedAt }: User) {
  return { id, name, email, phone, city, role, status, createdAt, updatedAt } satisfies Readonly<
    Record<keyof Omit<User, 'version' | 'sessionsFrom' | 'stored'>, unknown>
  >;
}

/** With the email of its user, because the id may belong to another user in another store; null when the user was deleted. */
function exportedOrder({ totalCents, ...order }: Order, user: User | undefined) {
  const items = order.items.map(({ unitPriceCents, ...item }) => ({
    ...item,
    unitPrice: decimalOf(unitPriceCents),
  }));
  return {
    ...order,
    stored: undefined,
    version: undefined,
    items,
    userEmail: user?.email ?? null,
    total: decimalOf(totalCents),
  };
}
