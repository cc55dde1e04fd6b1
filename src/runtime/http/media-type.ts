/** Reads and compares media types in Accept and Content-Type headers (RFC 9110 §8.3 and §12.5.1). */

interface AcceptEntry {
  readonly type: string;
  readonly subtype: string;
  /** From 0 to 1; 0 means not acceptable. */
  readonly quality: number;
}

/** The maximum number and length of cached Accept headers; a browser's has about 150 characters. */
const MAX_REMEMBERED = 100;
const MAX_LENGTH = 300;

/**
 * Makes the function that chooses among the media types on offer. Few different Accept headers occur, so choices are cached,
 * up to a bound.
 *
 * @param offers - media types in the server's order of preference, not empty
 * @param aliases - the offer for each further range that a client may ask for, such as `application/vnd.*+json`
 * @returns a function from an Accept header to the best offer, undefined when it accepts none
 */
export function compileNegotiation(
  offers: readonly [string, ...string[]],
  aliases: Readonly<Record<string, string>> = {},
): (accept: string | undefined) => string | undefined {
  const patterns = Object.entries(aliases).map(([range, offer]) => ({ pattern: rangePattern(range), offer }));
  const remembered = new Map<string, string | undefined>();
  return (accept) => {
    if (accept === undefined || accept === '*/*') return offers[0];
    if (remembered.has(accept)) return remembered.get(accept);
    const chosen = choose(
      offers,
      parseAccept(accept).map((entry) => unaliased(entry, patterns)),
    );
    // A client that varies its headers must not fill the memory: each operation has its own cache.
    if (accept.length > MAX_LENGTH) return chosen;
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    remembered.set(accept, chosen);
    return chosen;
  };
}

/** Replaces an alias in an entry with its offer. */
function unaliased(
  entry: AcceptEntry,
  patterns: readonly { readonly pattern: RegExp; readonly offer: string }[],
): AcceptEntry {
  const alias = patterns.find(({ pattern }) => pattern.test(`${entry.type}/${entry.subtype}`));
  if (alias === undefined) return entry;
  const [type = '', subtype = ''] = alias.offer.split('/');
  return { ...entry, type, subtype };
}

/** A `*` in a range matches any text within a type or subtype. */
function rangePattern(range: string): RegExp {
  const source = range.split('*').map((text) => text.replaceAll(/[.+?^${}()|[\]\\/]/g, '\\$&'));
  return new RegExp(`^${source.join('[^/]*')}$`, 'i');
}

function choose(offers: readonly [string, ...string[]], entries: readonly AcceptEntry[]): string | undefined {
  if (entries.length === 0) return offers[0];
  let best: string | undefined;
  let bestQuality = 0;
  for (const offer of offers) {
    const quality = qualityOf(offer, entries);
    if (quality > bestQuality) {
      best = offer;
      bestQuality = quality;
    }
  }
  return best;
}

/** The most specific matching entry decides (RFC 9110 §12.5.1); of several, the one with the highest quality. */
function qualityOf(offer: string, entries: readonly AcceptEntry[]): number {
  const [type = '', subtype = ''] = offer.split('/');
  let specificity = -1;
  let quality = 0;
  for (const entry of entries) {
    const matches =
      (entry.type === '*' || entry.type === type || type === '*') &&
      (entry.subtype === '*' || entry.subtype === subtype || subtype === '*');
    const own = (entry.type === '*' ? 0 : 1) + (entry.subtype === '*' ? 0 : 1);
    if (matches && own >= specificity) {
      quality = own > specificity ? entry.quality : Math.max(quality, entry.quality);
      specificity = own;
    }
  }
  return quality;
}

/** The entries of an Accept header; malformed entries are ignored. */
function parseAccept(accept: string): readonly AcceptEntry[] {
  return accept.split(',').flatMap((part): readonly AcceptEntry[] => {
    const [range = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const [type = '', subtype = ''] = range.split('/');
    if (type === '' || subtype === '') return [];
    const weight = parameters.find((parameter) => /^q\s*=/.test(parameter));
    const quality = weight === undefined ? 1 : Number(weight.slice(weight.indexOf('=') + 1));
    return [{ type, subtype, quality: quality >= 0 && quality <= 1 ? quality : 0 }];
  });
}

/** The media type of a Content-Type header in lower case, without its parameters. */
export function essenceOf(contentType: string): string {
  const end = contentType.indexOf(';');
  return (end === -1 ? contentType : contentType.slice(0, end)).trim().toLowerCase();
}

/** The charset that a Content-Type header names, in lower case. */
export function charsetOf(contentType: string): string | undefined {
  return /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1]?.toLowerCase();
}

/** @param charset - in lower case; US-ASCII counts too, because it is a subset of UTF-8 */
export function isUtf8(charset: string): boolean {
  return charset === 'utf-8' || charset === 'utf8' || charset === 'us-ascii';
}

/**
 * Looks up a media type in a table: its own entry, or else that of its suffix, such as `application/*+json`, or else that of its range, or
 * else that of all types.
 */
export function findByMediaType<Entry>(
  table: ReadonlyMap<string, Entry>,
  mediaType: string,
): Entry | undefined {
  const found = table.get(mediaType);
  if (found !== undefined) return found;
  for (const range of rangesOf(mediaType)) {
    const entry = table.get(range);
    if (entry !== undefined) return entry;
  }
  return undefined;
}

/** The ranges that a media type is in, the narrowest first: `application/*+json`, `application/*` and all types. */
function rangesOf(mediaType: string): readonly string[] {
  const range = `${mediaType.slice(0, mediaType.indexOf('/'))}/*`;
  const suffix = mediaType.lastIndexOf('+');
  return [...(suffix === -1 ? [] : [range + mediaType.slice(suffix)]), range, '*/*'];
}

/** Whether a Content-Type is one of the allowed media types and ranges. @param allowed - in lower case, without parameters */
export function isOfType(contentType: string, allowed: readonly string[]): boolean {
  const essence = essenceOf(contentType);
  return allowed.includes(essence) || rangesOf(essence).some((range) => allowed.includes(range));
}
