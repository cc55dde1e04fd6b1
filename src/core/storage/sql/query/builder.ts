/** The query builder of the stores: it compiles queries and never runs them. */
import { DummyDriver, Kysely, type Dialect } from 'kysely';
import type { Tables } from './schema.js';

/** @param parts - Kysely's dialect for the database, without a driver */
export function queryBuilder(parts: Omit<Dialect, 'createDriver'>): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: { ...parts, createDriver: () => new DummyDriver() } });
}
