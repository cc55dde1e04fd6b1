/** Decides which texts may be written into reports and documents, and removes the others. */

const SENSITIVE_NAME =
  /pass(?:word|wd|phrase)|secret|token|credential|auth|cookie|session|signature|api_?-?key|private_?-?key|e_?-?mail|phone|mobile|iban|bic\b|account|card|cvv|cvc|ssn|\bpin\b|\botp\b|birth|salt|hash/i;

/** Whether a member of this name has values that are never written. */
export const isSensitiveName = (name: string): boolean => SENSITIVE_NAME.test(name);

const DATE = /^\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:[Zz]|[+-]\d\d:\d\d)?)?$/;

/** Whether a text may be written: no e-mail address, no long run of digits, and nothing that looks like a token. */
export function isSafeText(text: string): boolean {
  if (text.length > 100 || text.includes('@') || /[\p{Cc}]/u.test(text)) return false;
  if (DATE.test(text)) return true;
  // Numbers of cards, accounts and telephones are written in groups.
  if (/\d(?:[ ()/.-]{0,2}\d){5,}/.test(text)) return false;
  return text.split(/[\s,;:/?&="'<>()[\]{}]+/).every((word) => !isTokenLike(word));
}

/** Long words of random characters. */
function isTokenLike(word: string): boolean {
  if (word.length < 16) return false;
  return (
    /\d/.test(word) ||
    (word.match(/[a-z][A-Z]/g) ?? []).length > 5 ||
    (word.length >= 32 && !/[-_.]/.test(word))
  );
}

const REMOVED = '[removed]';

/** The size of a shown value. */
const MOST_MEMBERS = 10;
const MOST_LEVELS = 3;

/**
 * A copy of a value that may be shown: short, and without texts and numbers that could be secrets.
 *
 * @param isSecret - whether a text has a credential in it
 */
export function shownValue(value: unknown, isSecret: (text: string) => boolean, level = 0): unknown {
  const isShown = (text: string): boolean => isSafeText(text) && !isSecret(text);
  if (typeof value === 'string') return isShown(value) ? value : REMOVED;
  if (typeof value === 'number' || typeof value === 'bigint') {
    return isSafeText(String(value)) ? Number(value) : REMOVED;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (level === MOST_LEVELS) return Array.isArray(value) ? [] : {};
  if (Array.isArray(value)) {
    return value.slice(0, MOST_MEMBERS).map((item) => shownValue(item, isSecret, level + 1));
  }
  const members = Object.entries(value).filter(([name]) => isShown(name));
  return Object.fromEntries(
    members
      .slice(0, MOST_MEMBERS)
      .map(([name, member]) => [
        name,
        isSensitiveName(name) ? REMOVED : shownValue(member, isSecret, level + 1),
      ]),
  );
}

/** A sentence with an ellipsis for each word that could be a secret. */
export function shownSentence(sentence: string, isSecret: (text: string) => boolean): string {
  return sentence
    .replaceAll(/\d(?:[ ()/.-]{0,2}\d){5,}/g, '…')
    .replaceAll(/[^\s,;:/?&="'<>()[\]{}]+/g, (word) => (isSafeText(word) && !isSecret(word) ? word : '…'));
}

/** Makes the test for texts that have a credential of these headers in them. Short words would be found in ordinary texts. */
export function secretsOf(...heads: readonly Readonly<Record<string, unknown>>[]): (text: string) => boolean {
  const secrets = new Set<string>();
  for (const [name, value] of heads.flatMap((headers) => Object.entries(headers))) {
    if (!isSensitiveName(name)) continue;
    const words = [value].flat().flatMap((text) => String(text).split(/[\s=;,]+/));
    for (const word of [...words, ...words.flatMap(decodedPair)]) if (word.length >= 4) secrets.add(word);
  }
  return (text) => [...secrets].some((secret) => text.includes(secret));
}

/** The user and the password of basic credentials (RFC 7617); other texts have neither. */
function decodedPair(text: string): readonly string[] {
  try {
    return atob(text).split(':');
  } catch {
    return [];
  }
}
