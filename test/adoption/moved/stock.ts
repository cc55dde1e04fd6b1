/** The warehouse: what is on hand, and what moves. */

import type { Operations } from '../generated/operations.js';
import type { Deps } from '../legacy-app/app.js';
import { actorOf } from '../legacy-app/auth.js';
import { conflict, notFound } from '../legacy-app/errors.js';
import type { StockItem } from '../legacy-app/types.js';
import { Checks } from '../legacy-app/validate.js';
import type { Call } from '../part/customers.js';

type Handlers = Pick<Operations<Call>, 'listStock' | 'addMovement'>;

export function stockHandlers({ store, now }: Deps): Handlers {
  function find(sku: string): StockItem {
    const item = store.stock.get(sku);
    if (item === undefined) throw notFound('Stock');
    return item;
  }

  return {
    listStock() {
      const free = [...store.stock.values()].map(({ sku, onHand, reserved }) => [sku, onHand - reserved]);
      return { status: 200, body: Object.fromEntries(free) };
    },

    addMovement({ path, body }, { host }) {
      const item = find(path.sku);
      const checks = new Checks(body);
      const delta = checks.integer('delta', -10_000, 10_000);
      const reason = checks.text('reason', 60);
      checks.done();
      if (item.onHand + delta < item.reserved) throw conflict('Not enough stock');
      item.onHand += delta;
      const at = now().toISOString();
      if (reason === 'count') item.lastCountedAt = at;
      const movement = { id: store.next('movement'), sku: item.sku, delta, reason, by: actorOf(host), at };
      store.movements.push(movement);
      return { status: 201, body: { movement, onHand: item.onHand } };
    },
  };
}
