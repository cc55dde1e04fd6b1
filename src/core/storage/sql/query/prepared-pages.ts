/** Prepared queries for pages that are read often and have only a start and a limit. */
import { sql, type Compilable, type RawBuilder } from 'kysely';
import { defaultFeedLimit, defaultLimit, maxLimit } from '../../../model/page.js';
import { PreparedQuery } from './prepared-query.js';

/** The default limits, with and without the extra row that shows whether there are more. */
const usualLimits = [defaultLimit, defaultFeedLimit, maxLimit].flatMap((limit) => [limit, limit + 1]);

/**
 * PostgreSQL assumes that an unknown limit returns a tenth of the table. The generic plan then looks too expensive, so it
 * plans the query again on each run, which takes longer than reading the page. Therefore each usual limit is part of the
 * text of its own prepared query; any other limit is planned on each run.
 */
export class PreparedPages<Row> {
  readonly #usual: ReadonlyMap<number, PreparedQuery<Row>>;
  readonly #unusual: PreparedQuery<Row>;

  /** @param page - makes the query for a limit; its only other parameter, the start, comes first */
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
