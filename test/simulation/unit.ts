/** Units of work: several writes of one transaction, as an operation of the deployer makes them. */

import { type Caller, ServiceError, type Services } from '@concordat/core';
import { forEver } from './neighbours/neighbour.js';

type Inside = Pick<Services, 'users' | 'products' | 'posts' | 'orders' | 'transaction'>;

export type UnitPart =
  | { readonly kind: 'user'; readonly name: string; readonly email: string }
  | { readonly kind: 'product'; readonly name: string; readonly price: number }
  | { readonly kind: 'post'; readonly title: string; readonly content: string; readonly authorId: string }
  | {
      readonly kind: 'order';
      readonly userId: string;
      readonly items: readonly {
        readonly name: string;
        readonly unitPrice: number;
        readonly quantity: number;
      }[];
    }
  | { readonly kind: 'deletion'; readonly orderId: string }
  /** Only in work that fails. */
  | { readonly kind: 'deletion of a user'; readonly userId: string }
  | { readonly kind: 'nested'; readonly unit: Unit };

export interface Unit {
  /** On whose behalf: an admin, or anybody where all is open. */
  readonly adminId: string | undefined;
  readonly parts: readonly UnitPart[];
  /** Of the work; the caller of a nested unit catches its error. */
  readonly end: 'returns' | 'throws' | 'hangs';
}

const none = { password: undefined, phone: undefined, city: undefined, role: undefined, status: undefined };

const statuses: Readonly<Record<string, number>> = {
  'invalid-input': 400,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  unavailable: 503,
};

/** @returns the records that it has made, or the failure as a status */
export async function runUnit(services: Services, unit: Unit): Promise<Response> {
  const caller: Caller =
    unit.adminId === undefined ? { kind: 'anonymous' } : { kind: 'user', id: unit.adminId, role: 'admin' };
  try {
    return Response.json(await run(services, caller, unit));
  } catch (error) {
    const status = error instanceof ServiceError ? (statuses[error.code] ?? 500) : 500;
    const headers = status === 503 ? { 'retry-after': '5' } : {};
    return Response.json({ error: (error as Error).message }, { status, headers });
  }
}

function run(services: Inside, caller: Caller, { parts, end }: Unit): Promise<object[]> {
  return services.transaction(caller, async (inside, tx) => {
    const made: object[] = [];
    for (const part of parts) made.push(await write(inside, tx.caller, part));
    if (end === 'hangs') await forEver;
    if (end === 'throws') throw new Error('the work gives up');
    return made;
  });
}

async function write(services: Inside, caller: Caller, part: UnitPart): Promise<object> {
  switch (part.kind) {
    case 'user':
      return services.users.create(caller, { ...none, ...part });
    case 'product':
      return services.products.create(caller, { ...part, description: undefined });
    case 'post':
      return services.posts.create(caller, part);
    case 'order':
      return services.orders.create(caller, part);
    case 'deletion':
      await services.orders.delete(caller, part.orderId);
      return {};
    case 'deletion of a user':
      await services.users.delete(caller, part.userId);
      return {};
    case 'nested':
      return await run(services, caller, part.unit).catch(() => ({ caught: true }));
  }
}
