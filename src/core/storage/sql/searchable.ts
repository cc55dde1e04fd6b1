/** Which texts can be looked for in a database. */

/**
 * Whether a stored text could equal this one. U+0000 and halves of surrogate pairs are in no stored text, and PostgreSQL
 * refuses the one and would see U+FFFD in the place of the other: who looks for them finds nothing.
 */
export function isSearchable(text: string): boolean {
  return !/[\0\p{Surrogate}]/u.test(text);
}
