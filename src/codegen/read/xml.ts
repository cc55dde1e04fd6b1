/** Reads the XML names of a contract: the element names of component schemas. */

import type { OperationModel } from './model.js';
import { joinPointer } from '../text/pointer.js';
import { isXml } from './media-types.js';
import type { Reader } from './reader.js';
import { visitObjects } from '../load/document-structure.js';
import { isObject } from '../schemas/document.js';

/**
 * The element names of component schemas. Encoders get only these names, so other XML Objects are not supported in a
 * contract that uses XML.
 */
export function readXmlNames(
  reader: Reader,
  operations: readonly OperationModel[],
): Readonly<Record<string, string>> {
  const schemas = Object.entries(reader.document.components?.schemas ?? {});
  if (operations.some(answersXml)) {
    visitObjects(reader.document, 'document', ({ xml }, kind, at) => {
      if (kind === 'schema' && isObject(xml)) noteXmlForm(reader, xml, at);
    });
  }
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

function noteXmlForm(reader: Reader, xml: object, schemaAt: string): void {
  const isComponent = /^#\/components\/schemas\/[^/]+$/.test(schemaAt);
  // A document has one root, so an array at the root is always wrapped.
  const heard = isComponent ? ['name', 'wrapped'] : [];
  const unheard = Object.keys(xml).filter((key) => !heard.includes(key) && !key.startsWith('x-'));
  if (unheard.length === 0) return;
  const message = `XML is written without these parts of the contract (${unheard.join(', ')})`;
  reader.unsupported('xml-form', joinPointer(schemaAt, 'xml'), message);
}
