/** Writes `openapi.ts`: the types of every schema, operation and component, by openapi-typescript. */

import openapiTS, { type OpenAPI3, astToString } from 'openapi-typescript';
import type { OpenApiDocument } from '../load/openapi.js';
import { resolvePointer } from '../text/pointer.js';
import type { ValueTypes } from '../values/value-types.js';
import { moveFurtherMethods, withFurtherMethods } from './further-methods.js';
import { documentCarriesMarkers } from './markers.js';
import { prepareDocument } from './prepared-document.js';
import { sequenceType, withSequences } from './sequence-types.js';
import { ValueTypeNodes } from './value-type-nodes.js';

/**
 * The text of `openapi.ts`.
 *
 * @param invalidDefaults - the places of the schemas whose `default` is not inserted
 * @param values - the types that handlers get for the values of a format
 */
export async function typesFile(
  document: OpenApiDocument,
  banner: string,
  invalidDefaults: ReadonlySet<string> = new Set(),
  values: ValueTypes = {},
): Promise<string> {
  // openapi-typescript may modify its input.
  const copy = structuredClone(document);
  for (const place of invalidDefaults)
    Reflect.deleteProperty(resolvePointer(copy, place) as object, 'default');
  prepareDocument(copy, document);
  withSequences(copy, document);
  moveFurtherMethods(copy);
  const types = new ValueTypeNodes(values);
  const nodes = await openapiTS(copy as unknown as OpenAPI3, {
    silent: true,
    readWriteMarkers: documentCarriesMarkers(document),
    transform: (schema, options) => sequenceType(schema, options) ?? types.node(schema),
  });
  return `${banner}\n${types.whole(astToString(withFurtherMethods(nodes)))}`;
}
