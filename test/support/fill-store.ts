/** Fills the tables of a SQL store with many rows, faster than through the service. */

/** A database that a store has migrated, and that has no rows yet. */
export interface EmptyDatabase {
  readonly kind: 'sqlite' | 'postgres';
  /** Runs a statement in its own transaction. */
  execute(statement: string): Promise<void> | void;
}

export interface Amounts {
  readonly users: number;
  readonly posts: number;
  /** The number of orders, each with one item and one comment. */
  readonly orders?: number;
  readonly products?: number;
  /** The number of deliveries that a webhook took, before as many that wait behind the first of a failing record. A second webhook has none. */
  readonly deliveries?: number;
  /** Whether users have a field of an application: one of a hundred shelves. */
  readonly shelves?: boolean;
}

/** The timestamp that many seconds after the start of 2026. */
const momentAfter = {
  sqlite: (seconds: string) =>
    `strftime('%Y-%m-%dT%H:%M:%S.000000Z', '2026-01-01', '+' || ${seconds} || ' seconds')`,
  postgres: (seconds: string) => `timestamptz '2026-01-01T00:00:00Z' + ${seconds} * interval '1 second'`,
};

const batch = 20_000;

/**
 * One user in a hundred is an admin and one in fifty is inactive; they live in a hundred cities. Records that belong to users
 * are spread over all of them; posts are one second apart.
 *
 * @param progress - called with the number of rows so far and in all
 */
export async function fillStore(
  database: EmptyDatabase,
  { users, posts, orders = 0, products = 0, deliveries = 0, shelves = false }: Amounts,
  progress: (done: number, all: number) => void = () => undefined,
): Promise<void> {
  const at = momentAfter[database.kind];
  const all = users + posts + 3 * orders + products + 2 * deliveries;
  let done = 0;
  const fill = async (amount: number, statement: string) => {
    for (let first = 1; first <= amount; first += batch) {
      const last = Math.min(first + batch - 1, amount);
      await database.execute(statement.replace('numbers', `(${numbers(first, last)}) as numbers`));
      progress((done += last - first + 1), all);
    }
  };
  const user = `1 + i % ${users}`;
  const text = `'{"shelf":"Shelf ' || (i % 100) || '"}'`;
  const shelf = database.kind === 'postgres' ? `(${text})::jsonb` : text;
  await fill(
    users,
    `insert into users (name, email, email_key, city, role, status, created_at, updated_at${shelves ? ', stored' : ''})
    select 'User ' || i, 'User' || i || '@example.com', 'user' || i || '@example.com', 'City ' || (i % 100),
      case i % 100 when 0 then 'admin' else 'user' end, case i % 50 when 1 then 'inactive' else 'active' end,
      ${at('i')}, ${at('i')}${shelves ? `, ${shelf}` : ''}
    from numbers`,
  );
  await fill(
    posts,
    `insert into posts (id, title, content, author_id, created_at)
    select i, 'Post ' || i, 'What this user has to say about number ' || i, ${user}, ${at('i')} from numbers`,
  );
  await database.execute(`update post_clock set last_id = ${posts}, last_created_at = ${at(String(posts))}`);
  await fill(
    orders,
    `insert into orders (user_id, status, total_cents, last_item_id, created_at, updated_at)
    select ${user}, 'pending', 1999, 1, ${at('i')}, ${at('i')} from numbers`,
  );
  await fill(
    orders,
    `insert into order_items (order_id, id, name, quantity, unit_price_cents) select i, 1, 'Item', 1, 1999 from numbers`,
  );
  await fill(
    orders,
    `insert into comments (order_id, user_id, order_user_id, text, created_at)
    select i, 1 + (7 * i) % ${users}, ${user}, 'Comment', ${at('i')} from numbers`,
  );
  if (deliveries > 0) {
    const webhook = (url: string) => `('https://${url}.example.com/', 'active', ${at('0')})`;
    await database.execute(
      `insert into outbox_receivers (url, status, created_at) values ${webhook('full')}, ${webhook('empty')}`,
    );
    const delivery = (subject: string, status: string) =>
      `insert into outbox_deliveries (receiver_id, event_id, type, subject, time, data, status, changed_at, due_at)
      select 1, 'Event ' || i, 'user.updated', ${subject}, ${at('i')}, '{"id":"1"}', '${status}', ${at('i')}, ${at('i')}
      from numbers`;
    await fill(deliveries, delivery("'user:' || i", 'delivered'));
    await fill(deliveries, delivery("'user:1'", 'pending'));
  }
  await fill(products, `insert into products (name, price_cents) select 'Product ' || i, 1999 from numbers`);
}

function numbers(first: number, last: number): string {
  return `with recursive counting(i) as (select ${first} union all select i + 1 from counting where i < ${last})
    select i from counting`;
}
