/** Pages that are read often, whose only values are where they start and how many rows they have at most. */
import { sql, type Compilable, type RawBuilder } from 'kysely';
import { defaultFeedLimit, defaultLimit, maxLimit } from '../../model/page.js';
import { PreparedQuery } from './prepared-query.js';

/** What callers get who ask for nothing else, with and without the row that tells of more. */
const usualLimits = [defaultLimit, defaultFeedLimit, maxLimit].flatMap((limit) => [limit, limit + 1]);

/**
 * PostgreSQL takes a limit that it does not know for a tenth of the table, finds the plan that it has kept too dear for
 * that, and plans anew each time, which takes longer than a page. So the usual limits are part of the text, under a name
 * each; the others, of which there is no end, are planned.
 */
export class PreparedPages<Row> {
  readonly #usual: ReadonlyMap<number, PreparedQuery<Row>>;
  readonly #unusual: PreparedQuery<Row>;

  /** @param page makes the query for a limit, with one other value before it */
  constructor(name: string, page: (limit: number | RawBuilder<number>) => Compilable<Row>) {
    this.#usual = new Map(
      usualLimits.map((limit) => [limit, new PreparedQuery(`${name}.${limit}`, page(sql.lit(limit)))]),
    );
    this.#unusual = new PreparedQuery(undefined, page(maxLimit));
  }

  with(start: string, limit: number): Compilable<Row> {
    return this.#usual.get(limit)?.with(start) ?? this.#unusual.with(start, limit);
  }
}
