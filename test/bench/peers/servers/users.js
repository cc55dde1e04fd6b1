/** The users that every server starts with, and the store of the peers: maps, with the same rule of unique emails. */

/** What the users are made from. Ids count up from 1. */
export const seeds = Array.from({ length: 200 }, (_, index) => ({
  name: `User ${index + 1}`,
  email: `user-${index + 1}@example.com`,
  city: 'London',
}));

const byId = new Map();
const emails = new Set();
/** Ascending by id. */
const users = [];

/** @returns the new user, or undefined when another user has the email, in upper or lower case */
export function createUser({ name, email, phone, city }) {
  const key = email.toLowerCase();
  if (emails.has(key)) return undefined;
  const id = String(users.length + 1);
  // With microseconds, as the contract has it.
  const createdAt = new Date().toISOString().replace('Z', '000Z');
  const user = {
    id,
    name,
    email,
    phone,
    city,
    role: 'user',
    status: 'active',
    createdAt,
    updatedAt: createdAt,
    sessionsFrom: undefined,
    version: 1,
  };
  emails.add(key);
  byId.set(id, user);
  users.push(user);
  return user;
}

export function findUser(id) {
  return byId.get(id);
}

/** The body of a page by offset. */
export function pageOf(page, limit) {
  const start = (page - 1) * limit;
  return pageBody(users.slice(start, start + limit), users.length, page, limit);
}

/** @param found - the users of the page */
export function pageBody(found, total, page, limit) {
  const totalPages = Math.ceil(total / limit);
  return {
    data: found.map(recordOf),
    pagination: { page, limit, total, totalPages, hasNext: page < totalPages, hasPrev: page > 1 },
  };
}

/** A user as it is answered. */
export function recordOf({ id, name, email, phone, city, role, status, createdAt, updatedAt }) {
  const links = { orders: `/api/users/${id}/orders` };
  return { id, name, email, role, status, createdAt, updatedAt, phone, city, links };
}

export const etagOf = ({ version }) => `"${version}"`;

/** A whole number from 1 up, or else the fallback: paging is lenient. */
export function lenient(given, fallback, most = Infinity) {
  return /^[1-9]\d*$/.test(given ?? '') ? Math.min(Number(given), most) : fallback;
}

for (const seed of seeds) createUser(seed);
