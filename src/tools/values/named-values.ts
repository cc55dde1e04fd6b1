/** Texts and numbers that look like what the names of their properties say: a price, a city, the address of an image. */

type Row<Value> = readonly [name: RegExp, ...values: readonly Value[]];

const IMAGE = 'https://example.com/image.png';
const MOMENT = '2026-01-01T00:00:00Z';

/** By the name in lower-case words. Later values are tried where those before them do not fit, and for values that must differ. */
const TEXTS: readonly Row<string>[] = [
  [/\b(?:image|avatar|photo|picture|logo|thumbnail)\b(?! id)/, IMAGE],
  [/\b(?:url|uri|href|link|website|homepage)$/, 'https://example.com/'],
  [/\be ?mail\b/, 'ada@example.com', 'grace@example.com'],
  [/\b(?:phone|mobile|fax)\b/, '+442079460000', '+442079460001'],
  [/\b(?:first|given) name$/, 'Ada', 'Grace'],
  [/\b(?:last|family|sur) ?name$/, 'Lovelace', 'Hopper'],
  [/\b(?:user ?name|login|nick ?name)$/, 'ada', 'grace'],
  [/^(?:author|customer|owner|full name|display name)$/, 'Ada Lovelace', 'Grace Hopper'],
  [/\b(?:company|organi[sz]ation|vendor|brand)(?: name)?$/, 'Acme', 'Globex'],
  [/\b(?:city|town)$/, 'London', 'Paris', 'Rome'],
  [/\bcountry(?: name| code)?$/, 'GB', 'FR', 'IT', 'United Kingdom'],
  [/\b(?:street|(?:address )?line ?1|(?<!ip |mac )address)$/, '1 Main Street', '2 Main Street'],
  [/\b(?:post(?:al)? ?code|zip)\b/, 'SW1A 1AA', 'N1 9GU'],
  [/\bcurrency(?: code)?$/, 'EUR', 'USD', 'GBP'],
  [/\blocale$/, 'en-GB', 'fr-FR'],
  [/\blanguage$/, 'en', 'fr'],
  [/\btime ?zone$/, 'Europe/London', 'Europe/Paris'],
  [/\bcolou?r$/, '#336699', '#993366'],
  [/\bip(?: address)?$/, '192.0.2.1', '192.0.2.2'],
  [/\b(?:created|updated|deleted|published)(?: at| on)?$|\btimestamp$/, MOMENT],
  [/\bname$/, 'Example', 'Another example'],
  [/\b(?:title|headline|subject)$/, 'An example', 'Another example'],
  [/\b(?:description|summary)$/, 'What this is about'],
];

const NUMBERS: readonly Row<number>[] = [
  [/\b(?:price|amount|cost|fee|balance)\b(?! (?:id|count))/, 9.99, 999],
  [/\blat(?:itude)?$/, 51.5, 51],
  [/\b(?:lng|lon(?:gitude)?)$/, -0.12, 1],
  [/\brating$/, 4.5, 4],
  [/\byear$/, 2026],
  [/\bage$/, 36],
];

/**
 * The values of a name, best first; none for a name that says nothing.
 *
 * @param nth - counts the values that should differ from each other, from 0
 */
export function namedValues(
  name: string,
  type: string | undefined,
  nth: number,
): readonly (string | number)[] {
  const text = name
    .replaceAll(/([a-z\d])(?=[A-Z])/g, '$1 ')
    .replaceAll(/[_\W]+/g, ' ')
    .trim()
    .toLowerCase();
  if (type === 'string') {
    const texts = valuesOf(TEXTS, text);
    const [first = ''] = texts;
    if (texts.length === 0 || nth === 0) return texts;
    return [...texts.slice(nth), `${first}${first.includes('://') ? '?' : ' '}${nth + 1}`];
  }
  const isNumber = type === 'number' || type === 'integer';
  const numbers = isNumber ? valuesOf(NUMBERS, text) : [];
  return numbers.filter((each) => type === 'number' || Number.isInteger(each)).map((each) => each + nth);
}

function valuesOf<Value>(rows: readonly Row<Value>[], text: string): readonly Value[] {
  const [, ...values] = rows.find(([name]) => name.test(text)) ?? [];
  return values as readonly Value[];
}
