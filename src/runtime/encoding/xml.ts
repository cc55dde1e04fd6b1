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
  const builder = new XMLBuilder({ suppressEmptyNode: true, processEntities: true });
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
      member === undefined ? [] : [[name, asElements(member)]],
    ),
  );
}
