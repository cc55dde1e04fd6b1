/** Reads the XML names of a contract: the element names of component schemas. */

import type { OperationModel } from './model.js';
import { joinPointer } from '../text/pointer.js';
import { isXml } from './media-types.js';
import type { Reader } from './reader.js';

/**
 * The element names of component schemas. Encoders get only these names, so other XML Objects are not supported in a
 * contract that uses XML.
 */
export function readXmlNames(
  reader: Reader,
  operations: readonly OperationModel[],
): Readonly<Record<string, string>> {
  const schemas = Object.entries(reader.document.components?.schemas ?? {});
  if (operations.some(answersXml)) noteXmlForms(reader, reader.document, '#');
  return Object.fromEntries(
    schemas.flatMap(([name, schema]) => {
      const xmlName = typeof schema === 'object' ? schema.xml?.name : undefined;
      return xmlName === undefined ? [] : [[name, xmlName]];
    }),
  );
}

function answersXml({ responses }: OperationModel): boolean {
  return responses.some(({ content }) => content.some(({ mediaType }) => isXml(mediaType)));
}

/** Looks for XML Objects in everything that could hold a schema. */
function noteXmlForms(reader: Reader, value: unknown, at: string): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    const place = joinPointer(at, key);
    // The keys of examples are data.
    if (/^(?:examples?|default|enum|const)$/.test(key)) continue;
    if (key === 'xml' && isXmlObject(member)) noteXmlForm(reader, member, at, place);
    else noteXmlForms(reader, member, place);
  }
}

/** Distinguishes an XML Object from a schema, header or path that is named xml. */
function isXmlObject(value: unknown): value is object {
  const fields = ['name', 'namespace', 'prefix', 'attribute', 'wrapped', 'nodeType'];
  const isField = (key: string) => fields.includes(key) || key.startsWith('x-');
  return typeof value === 'object' && value !== null && Object.keys(value).every(isField);
}

function noteXmlForm(reader: Reader, xml: object, schemaAt: string, at: string): void {
  const isComponent = /^#\/components\/schemas\/[^/]+$/.test(schemaAt);
  // A document has one root, so an array at the root is always wrapped.
  const heard = isComponent ? ['name', 'wrapped'] : [];
  const unheard = Object.keys(xml).filter((key) => !heard.includes(key) && !key.startsWith('x-'));
  if (unheard.length === 0) return;
  const message = `XML is written without these parts of the contract (${unheard.join(', ')})`;
  reader.unsupported('xml-form', at, message);
}
