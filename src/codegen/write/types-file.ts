/** Writes `openapi.ts`: the types of every schema, operation and component, by openapi-typescript. */

import openapiTS, { type OpenAPI3, astToString } from 'openapi-typescript';
import type { OpenApiDocument } from '../openapi.js';
import { documentCarriesMarkers } from './markers.js';

/** The text of `openapi.ts`. */
export async function typesFile(document: OpenApiDocument, banner: string): Promise<string> {
  // openapi-typescript may change what it is given.
  const copy = structuredClone(document) as unknown as OpenAPI3;
  const nodes = await openapiTS(copy, { silent: true, readWriteMarkers: documentCarriesMarkers(document) });
  return `${banner}\n${astToString(nodes)}`;
}
