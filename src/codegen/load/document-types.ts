/** Corrects the linter's description of OpenAPI documents where it would refuse valid documents. */

import type { Plugin } from '@redocly/openapi-core';
import { ANCHORS } from '../schemas/marks.js';
import { words } from '../text/identifiers.js';

type Types = Parameters<NonNullable<NonNullable<Plugin['typeExtension']>['oas3']>>[0];

export const DOCUMENT_TYPES: NonNullable<Plugin['typeExtension']> = {
  oas3: (types, version) => ({
    ...types,
    // Schemas may have keywords that the linter does not know: the schema compiler decides which are supported.
    Schema: extended(
      types,
      'Schema',
      { ...repairedFields(types), ...SCHEMA_FIELDS },
      { additionalProperties: {} },
    ),
    ...(version === 'oas3_2' && fieldsOf32(types)),
  }),
};

const ANCHORS_TYPE = { name: 'Anchors', properties: {}, additionalProperties: 'Schema' };
const SCHEMA_FIELDS = { $vocabulary: { type: 'object' }, [ANCHORS]: ANCHORS_TYPE } as const;

/** The schema fields whose wrong types the repairs report. */
function repairedFields(types: Types): Types[string]['properties'] {
  const own = types['Schema']?.properties ?? {};
  const unless = (field: string, ...repaired: readonly string[]): Types[string]['properties'] => ({
    [field]: (value: unknown) => (repaired.includes(typeof value) ? null : own[field]) as never,
  });
  return {
    ...unless('required', 'boolean'),
    ...unless('exclusiveMinimum', 'boolean', 'number'),
    ...unless('exclusiveMaximum', 'boolean', 'number'),
  };
}

/** The fields of OpenAPI 3.2 that the linter lacks or describes differently. */
function fieldsOf32(types: Types): Types {
  const text = { type: 'string' } as const;
  const encodings = { prefixEncoding: { name: 'EncodingList', properties: {}, items: 'Encoding' } };
  return {
    DeviceAuthorization: extended(types, 'DeviceAuthorization', {
      scopes: { type: 'object', additionalProperties: text },
    }),
    Encoding: extended(types, 'Encoding', {
      ...encodings,
      encoding: 'EncodingMap',
      itemEncoding: 'Encoding',
    }),
    MediaType: extended(types, 'MediaType', { description: text }),
    // Each member is a Media Type Object, not a map of them.
    NamedMediaTypes: { properties: {}, additionalProperties: () => 'MediaType' },
    Parameter: extended(types, 'Parameter', { style: { enum: [...STYLES] } }),
    Response: extended(types, 'Response', {}, { required: [] }),
  };
}

const STYLES = words('matrix label simple form spaceDelimited pipeDelimited deepObject cookie');

function extended(
  types: Types,
  name: string,
  properties: Types[string]['properties'],
  others: Partial<Types[string]> = {},
): Types[string] {
  return { ...types[name], ...others, properties: { ...types[name]?.properties, ...properties } };
}
