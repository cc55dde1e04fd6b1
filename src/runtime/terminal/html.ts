/** Writes HTML from templates whose values are escaped. */

/** HTML that may be inserted into other HTML unescaped. */
export class Html {
  constructor(readonly source: string) {}
}

type TemplateValue = string | number | Html | readonly Html[] | undefined;

/** Fills a template: texts are escaped, lists are joined, and undefined is omitted. */
export function html(texts: TemplateStringsArray, ...parts: readonly TemplateValue[]): Html {
  return new Html(texts.reduce((source, text, index) => source + sourceOf(parts[index - 1]) + text));
}

function sourceOf(part: TemplateValue): string {
  if (part === undefined) return '';
  if (part instanceof Html) return part.source;
  if (typeof part === 'object') return part.map(({ source }) => source).join('');
  return String(part)
    .replace(NOT_IN_HTML, '\ufffd')
    .replace(/[&<>"']/g, (character) => `&#${String(character.charCodeAt(0))};`);
}

/** Characters that a document must not have, and those that turn the direction of the text beside them. */
const NOT_IN_HTML = /(?![\t\n\r])\p{Cc}|\p{Cs}|[\ufffe\uffff\u202a-\u202e\u2066-\u2069]/gu;
