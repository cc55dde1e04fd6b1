/** Which texts can be searched for in a database. */

/**
 * Whether a stored text can equal this one. U+0000 and lone surrogates are never stored; PostgreSQL would refuse the first
 * and read the second as U+FFFD. A search for such a text finds nothing and needs no query.
 */
export function isSearchable(text: string): boolean {
  return !/[\0\p{Surrogate}]/u.test(text);
}
