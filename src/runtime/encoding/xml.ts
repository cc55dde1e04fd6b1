/** Writes values as XML, with an element per field. */

import XMLBuilder from 'fast-xml-builder';
import type { Encoder } from '../index.js';

/**
 * Makes the XML encoder of a contract. The root element is the schema's name in lower camel case, or the name that the
 * contract gives it; an array is repeated `item` elements.
 *
 * @param names - root elements by schema: the `xmlNames` of the generated contract
 *
 * @example
 * ```ts
 * const encode = xmlEncoder({ UserList: 'users' });
 * encode([{ id: '1' }], 'UserList'); // <users><item><id>1</id></item></users>
 * ```
 */
export function xmlEncoder(names: Readonly<Record<string, string>>): Encoder {
  const builder = new XMLBuilder({ suppressEmptyNode: true, processEntities: true, maxNestedTags: 0 });
  return (value, schema = 'value') => {
    const root = names[schema] ?? schema.charAt(0).toLowerCase() + schema.slice(1);
    const xml = builder.build({ [root]: asElements(value) });
    // An XML parser turns a literal carriage return into a line feed, or into part of one (XML 1.0 §2.11).
    return `<?xml version="1.0" encoding="UTF-8"?>\n${xml.replaceAll('\r', '&#13;')}`;
  };
}

/** The value with each array replaced by repeated `item` elements, and without undefined members. */
function asElements(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? '' : { item: value.map(asElements) };
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      member === undefined ? [] : [[elementName(name), asElements(member)]],
    ),
  );
}

const start =
  'A-Z_a-z\\u{C0}-\\u{D6}\\u{D8}-\\u{F6}\\u{F8}-\\u{2FF}\\u{370}-\\u{37D}\\u{37F}-\\u{1FFF}\\u{200C}\\u{200D}\\u{2070}-\\u{218F}' +
  '\\u{2C00}-\\u{2FEF}\\u{3001}-\\u{D7FF}\\u{F900}-\\u{FDCF}\\u{FDF0}-\\u{FFFD}\\u{10000}-\\u{EFFFF}';
const rest = `${start}.0-9\\u{B7}\\u{300}-\\u{36F}\\u{203F}\\u{2040}-`;
const unnamed = new RegExp(`^[^${start}]|[^${rest}]|_(?=x[0-9A-F]{4,6}_)`, 'gu');

/** A name with what no name of an element may have (XML 1.0 §2.3, without the colon of namespaces) as `_xHHHH_`, as in SQL/XML. */
function elementName(name: string): string {
  const escaped = (character: string): string =>
    `_x${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}_`;
  return name === '' ? '_' : name.replace(unnamed, escaped);
}
