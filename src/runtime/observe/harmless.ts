/** Decides which values of traffic may be written into reports, documents and logs, and makes up others of the same shape. */

/** A name with one of these words belongs to a secret: its values are never written. */
const SENSITIVE_NAME =
  /pass|pwd|secret|token|credential|auth|cookie|session|signature|private|e_?-?mail|phone|mobile|iban|card|birth|(?:^|_)(?:keys?|jwt|otp|totp|mfa|pins?|sid|hmac|mac|sig|sign|nonce|salt|hash|digest|seed|mnemonic|csrf|xsrf|recovery|backup|codes?|bic|account|cvv|cvc|ssn|dob|tel|invites?|invitation|magic|license|licence|cert|pem|bearer|basic|signed|dsn|uri|url|link)(?:_|$)/;

/** Whether a member, a header or a segment of this name has values that are never written. */
export function isSensitiveName(name: string): boolean {
  return SENSITIVE_NAME.test(wordsOf(name));
}

/** A name with `_` between its words: `otpCode` and `OTP-Code` are `otp_code`. */
function wordsOf(name: string): string {
  return name
    .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, '$1_$2')
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1_$2')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .toLowerCase();
}

/** The segments of a path that a secret follows, as in links that are sent by mail. */
const BEFORE_SECRET =
  /^(?:reset|invit\w*|verif\w*|confirm\w*|activat\w*|unsubscribe|recover\w*|magic\w*|shared?|join|claim|redeem|unlock|tokens?|sessions?|keys?|secrets?|codes?|otp|passwords?|pass\w*)$/;

/** Words that follow them in the paths of an API itself. */
const AFTER_SECRET =
  /^(?:login|logout|refresh|revoke|rotate|register|reset|resend|request|send|check|validate|verify|verification|confirm\w*|forgot|forgotten|change|update|current|me|new|status|start|complete|callback|password|passwords|email|emails|phone|token|tokens|sessions?|keys?|codes?|all|search|list|accept|decline|batch|v\d+)$/;

/** Whether a segment of a path is a secret by the one before it, as in `/reset/hunter`. */
export function isSecretSegment(before: string | undefined, segment: string): boolean {
  return (
    before !== undefined &&
    BEFORE_SECRET.test(before.toLowerCase()) &&
    !AFTER_SECRET.test(segment.toLowerCase())
  );
}

/** A path with an ellipsis for each segment that is a secret by the one before it. */
export function withoutSecrets(path: string): string {
  if (!/\/(?:res|inv|ver|conf|act|uns|rec|mag|sha|joi|cla|red|unl|tok|ses|key|sec|cod|otp|pas)/i.test(path))
    return path;
  const segments = path.split('/');
  return segments
    .map((segment, index) =>
      segment !== '' && isSecretSegment(segments[index - 1], segment) ? '…' : segment,
    )
    .join('/');
}

/** A text in which the credentials of URLs are hidden. They end at the last `@` before the path. */
export function withoutPasswords(text: string): string {
  return text.replaceAll(/(\b[a-z][a-z\d+.-]*:\/\/)[^\s/]*@/gi, '$1***@');
}

const DATE = /^\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:[Zz]|[+-]\d\d:\d\d)?)?$/;

/** Whether the text of a value is harmless from every caller: a truth value, a date, or a number with few digits. */
export function isHarmless(text: string): boolean {
  return text === 'true' || text === 'false' || DATE.test(text) || /^-?\d{1,3}(?:\.\d{1,2})?$/.test(text);
}

/** Whether a text may be a word of many: no e-mail address, no long run of digits, and nothing that looks like a token. */
export function isPlainText(text: string): boolean {
  if (text.length > 100 || /[@\p{Cc}]/u.test(text)) return false;
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

/** The maximum length of a made-up text. */
const LONGEST = 40;

/** A made-up text of the same shape: `Xxx xxxxx` for `Oak chair`. It has the separators of the text, and none of its other characters. */
export function shapeOf(text: string): string {
  return text
    .slice(0, LONGEST)
    .replaceAll(/[^-\s_.:/+,]/gu, (each) => (/\d/.test(each) ? '1' : /\p{Lu}/u.test(each) ? 'X' : 'x'))
    .replaceAll(/[\p{Cc}\s]/gu, ' ');
}

/** A made-up number with as many digits. */
export function shapeOfNumber(value: number): number {
  const digits = Math.trunc(Math.abs(value)).toLocaleString('en', { useGrouping: false }).length;
  const whole = Number('1'.repeat(Math.min(15, digits))) * (value < 0 ? -1 : 1);
  return Number.isInteger(value) ? whole : whole + 0.5;
}

/** The size of a shown value. */
const MOST_MEMBERS = 10;
const MOST_LEVELS = 3;

/**
 * A copy of a value that may be shown: short, and with made-up texts and numbers in the place of those that are not harmless.
 *
 * @param isKnown - whether a text is a word of the contract: a name, or a value of an `enum`
 */
export function shownValue(
  value: unknown,
  isKnown: (text: string) => boolean,
  isSensitive = false,
  level = 0,
): unknown {
  const isShown = (text: string): boolean => !isSensitive && (isHarmless(text) || isKnown(text));
  if (typeof value === 'string') return isShown(value) ? value : shapeOf(value);
  if (typeof value === 'number' || typeof value === 'bigint')
    return isShown(String(value)) ? Number(value) : shapeOfNumber(Number(value));
  if (typeof value !== 'object' || value === null) return value;
  if (level === MOST_LEVELS) return Array.isArray(value) ? [] : {};
  if (Array.isArray(value))
    return value.slice(0, MOST_MEMBERS).map((item) => shownValue(item, isKnown, isSensitive, level + 1));
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, MOST_MEMBERS)
      .map(([name, member]) => [
        isKnown(name) ? name : shapeOf(name),
        shownValue(member, isKnown, isSensitive || isSensitiveName(name), level + 1),
      ]),
  );
}

/** A sentence with an ellipsis for each word that could be a secret. */
export function shownSentence(sentence: string, isSecret: (text: string) => boolean): string {
  return sentence
    .replaceAll(/\d(?:[ ()/.-]{0,2}\d){5,}/g, '…')
    .replaceAll(/[^\s,;:/?&="'<>()[\]{}]+/g, (word) => (isPlainText(word) && !isSecret(word) ? word : '…'));
}
