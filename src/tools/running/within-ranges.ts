/** Chooses a status or a media type within a range of the contract. */

/** All statuses of a class, such as 200 to 299 for 2. */
function statusesOf(statusClass: number): readonly number[] {
  return Array.from({ length: 100 }, (_, index) => statusClass * 100 + index);
}

/**
 * The first status of a response.
 *
 * @param key - `200`, `4XX` or `default`
 * @param describes - whether the response describes a status, and no other response of the operation does
 * @param preferred - the class of statuses for `default`
 * @returns undefined if other responses describe all its statuses
 */
export function statusWithin(
  key: string,
  describes: (status: number) => boolean,
  preferred: 2 | 5,
): number | undefined {
  if (/^\d+$/.test(key)) return Number(key);
  const classes = key === 'default' ? [preferred, 2, 3, 4, 5] : [Number(key.charAt(0))];
  return classes.flatMap(statusesOf).find(describes);
}

/** A media type within a range, or the media type itself. */
export function mediaTypeWithin(range: string): string {
  return OF_RANGE[range] ?? range.replace('*', 'x-any');
}

const OF_RANGE: Readonly<Record<string, string>> = {
  '*/*': 'application/octet-stream',
  'application/*': 'application/octet-stream',
  'image/*': 'image/png',
  'text/*': 'text/plain',
};
