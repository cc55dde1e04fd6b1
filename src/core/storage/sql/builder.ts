/** The query builder of the stores: it makes texts and never runs them. */
import { DummyDriver, Kysely, type Dialect } from 'kysely';
import type { Tables } from './schema.js';

/** @param parts the words of a database, without a driver */
export function queryBuilder(parts: Omit<Dialect, 'createDriver'>): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: { ...parts, createDriver: () => new DummyDriver() } });
}
