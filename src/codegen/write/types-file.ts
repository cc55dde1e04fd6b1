/** Writes `openapi.ts`: the types of every schema, operation and component, by openapi-typescript. */

import openapiTS, { type OpenAPI3, astToString } from 'openapi-typescript';
import type { OpenApiDocument, Schema } from '../load/openapi.js';
import type { ContractModel } from '../read/model.js';
import { resolvePointer } from '../text/pointer.js';
import type { ValueTypes } from '../values/value-types.js';
import { moveFurtherMethods, withFurtherMethods } from './further-methods.js';
import { documentCarriesMarkers } from './markers.js';
import { prepareDocument } from './prepared-document.js';
import { withSchemaNames } from './schema-names.js';
import { sequenceType, withSequences } from './sequence-types.js';
import { ValueTypeNodes } from './value-type-nodes.js';

/** What the types depend on beside the document itself. */
export interface TypesOptions {
  /** Path items that are typed among the webhooks, because openapi-typescript writes no callbacks. */
  readonly callbacks?: ContractModel['callbackItems'];
  /** Further component schemas. */
  readonly schemas?: Readonly<Record<string, Schema>>;
  /** The places of the schemas whose `default` is not inserted. */
  readonly invalidDefaults?: ReadonlySet<string>;
  /** The types that handlers get for the values of a format. */
  readonly values?: ValueTypes;
}

/** The text of `openapi.ts`. A property with a default may be absent: it is only in the types of what handlers get. */
export async function typesFile(
  document: OpenApiDocument,
  banner: string,
  { callbacks, schemas, invalidDefaults = new Set(), values = {} }: TypesOptions = {},
): Promise<string> {
  const whole = {
    ...document,
    webhooks: { ...document.webhooks, ...callbacks },
    components: { ...document.components, schemas: { ...document.components?.schemas, ...schemas } },
  };
  // openapi-typescript may modify its input.
  const copy = structuredClone(whole);
  for (const place of invalidDefaults)
    Reflect.deleteProperty(resolvePointer(copy, place) as object, 'default');
  prepareDocument(copy, whole);
  withSequences(copy, whole);
  moveFurtherMethods(copy);
  const types = new ValueTypeNodes(values);
  const nodes = await openapiTS(copy as unknown as OpenAPI3, {
    silent: true,
    readWriteMarkers: documentCarriesMarkers(document),
    defaultNonNullable: false,
    transform: (schema, options) => sequenceType(schema, options) ?? types.node(schema),
  });
  const named = withSchemaNames(withFurtherMethods(nodes), Object.keys(whole.components.schemas));
  return `${banner}\n${types.whole(astToString([...named]))}`;
}
