/** The users in PostgreSQL: the service's tables and statements, by `pg` with a pool and prepared statements. */

import pg from 'pg';
import { added, found, listed, refusalOf } from '../users-answers.js';
import { lenient, pageBody } from '../users.js';

const moment = (column, name) =>
  `to_char("${column}" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "${name}"`;
const columns = [
  '"id", "name", "email", "phone", "city", "role", "status"',
  moment('created_at', 'createdAt'),
  moment('updated_at', 'updatedAt'),
  moment('sessions_from', 'sessionsFrom'),
  '"version"',
].join(', ');

const statements = {
  find: `select ${columns} from "users" where "id" = $1`,
  count: `select cast(coalesce(sum(value), 0) as bigint) as "count" from "counters" where "table_name" in ($1)`,
  create: `insert into "users" ("name", "email", "phone", "city", "role", "status", "created_at", "updated_at",
    "email_key", "password_hash") values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
    on conflict ("email_key") do nothing returning ${columns}`,
};

/** A limit is part of the text, because PostgreSQL plans a page with an unknown limit each time. */
const pageAfter = (limit) => `select ${columns} from "users" where "id" > $1 order by "id" limit ${limit}`;
const pageAt = (
  limit,
) => `select ${columns} from "users" where "id" in (select "id" from "users" where "id" > 0
  order by "id" asc limit ${limit} offset (select cast($1 as bigint))) order by "id"`;

/** Null is no value of the contract. */
const userOf = (row) => ({
  ...row,
  phone: row.phone ?? undefined,
  city: row.city ?? undefined,
  sessionsFrom: row.sessionsFrom ?? undefined,
});

/** @param url - of a database with the service's tables */
export function postgresUsers(url) {
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  const ask = async (name, text, values) => (await pool.query({ name, text, values })).rows;

  async function findUser(id) {
    if (!/^[1-9]\d{0,17}$/.test(id)) return undefined;
    const [row] = await ask('find', statements.find, [id]);
    return row && userOf(row);
  }

  async function createUser({ name, email, phone, city }) {
    const now = new Date().toISOString().replace('Z', '000Z');
    const values = [name, email, phone, city, 'user', 'active', now, now, email.toLowerCase(), null];
    const [row] = await ask('create', statements.create, values);
    return row && userOf(row);
  }

  async function pageOf(page, limit) {
    const start = (page - 1) * limit;
    const rows =
      start === 0
        ? ask(`after.${limit}`, pageAfter(limit), ['0'])
        : ask(`at.${limit}`, pageAt(limit), [String(start)]);
    const [users, [{ count }]] = await Promise.all([rows, ask('count', statements.count, ['users'])]);
    return pageBody(users.map(userOf), Number(count), page, limit);
  }

  return {
    findUser,
    readUser: async (id) => found(await findUser(id)),
    listUsers: async ({ page, limit }) => listed(await pageOf(lenient(page, 1), lenient(limit, 10, 100))),
    addUser: async (input) => refusalOf(input) ?? added(await createUser(input)),
  };
}
