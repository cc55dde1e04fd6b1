/** Writes `openapi.ts`: the types of every schema, operation and component, by openapi-typescript. */

import openapiTS, { type OpenAPI3, astToString } from 'openapi-typescript';
import type { OpenApiDocument } from '../openapi.js';
import { joinPointer } from '../schemas/pointer.js';
import { documentCarriesMarkers } from './markers.js';

/** The text of `openapi.ts`. */
export async function typesFile(document: OpenApiDocument, banner: string): Promise<string> {
  // openapi-typescript may change what it is given.
  const copy = structuredClone(document);
  spellMappings(copy, Object.keys(document.components?.schemas ?? {}));
  const nodes = await openapiTS(copy as unknown as OpenAPI3, {
    silent: true,
    readWriteMarkers: documentCarriesMarkers(document),
  });
  return `${banner}\n${astToString(nodes)}`;
}

/**
 * Makes references of discriminator mappings that are the names of components, which openapi-typescript does not know
 * (Discriminator Object), and leaves out what is neither.
 */
function spellMappings(value: unknown, components: readonly string[]): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    if (key === 'discriminator' && isDiscriminator(member)) {
      member.mapping = Object.fromEntries(
        Object.entries(member.mapping).flatMap(([name, target]) => {
          if (components.includes(target)) return [[name, joinPointer('#/components/schemas', target)]];
          return target.startsWith('#/') ? [[name, target]] : [];
        }),
      );
    } else {
      spellMappings(member, components);
    }
  }
}

function isDiscriminator(value: unknown): value is { mapping: Record<string, string> } {
  return typeof value === 'object' && value !== null && 'propertyName' in value && 'mapping' in value;
}
