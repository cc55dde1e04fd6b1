/** Adapts the linter: accepts valid documents that it would refuse, and adds rules of OpenAPI 3.2 that it lacks. */

import type { Oas3Rule, Oas3Visitor, Plugin, UserContext } from '@redocly/openapi-core';
import { type Fields, METHODS, ANCHORS } from '../schemas/document.js';
import { REPAIR_RULE, repairSchemas } from './harmless-faults.js';
import { words } from '../../text/identifiers.js';

/** The rules, each with its severity in the linter's configuration. */
export const STRUCTURE_RULES = {
  'concordat/documentation': 'error',
  'concordat/structure': 'error',
  [REPAIR_RULE]: 'error',
} as const;

/** Pairs of fields of which an object may have only one, by the linter's name of the object. */
const EXCLUSIVE = {
  documentation: {
    Example: [
      ['value', 'externalValue'],
      ['value', 'dataValue'],
      ['value', 'serializedValue'],
      ['serializedValue', 'externalValue'],
    ],
    Header: [['example', 'examples']],
    MediaType: [['example', 'examples']],
    Parameter: [['example', 'examples']],
  },
  structure: {
    Encoding: [
      ['encoding', 'prefixEncoding'],
      ['encoding', 'itemEncoding'],
    ],
    MediaType: [
      ['encoding', 'prefixEncoding'],
      ['encoding', 'itemEncoding'],
    ],
    Parameter: [
      ['content', 'style'],
      ['content', 'explode'],
      ['content', 'allowReserved'],
    ],
    Xml: [
      ['nodeType', 'attribute'],
      ['nodeType', 'wrapped'],
    ],
  },
} as const;

/** A token (RFC 9110 §5.6.2): the name of a header, or a method. */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

/** Methods that have their own field in a Path Item. */
const FIXED_METHODS: ReadonlySet<string> = new Set(METHODS.map((method) => method.toUpperCase()));

const documentation: Oas3Rule = () =>
  only32(exclusive(EXCLUSIVE.documentation), { ServerVariable: checkServerVariable });

const structure: Oas3Rule = () =>
  only32(exclusive(EXCLUSIVE.structure), {
    Parameter: checkParameter,
    Header: (header, context) => {
      if ('allowReserved' in header) report(context, 'allowReserved', 'a header is not percent-encoded');
    },
    HeadersMap: (headers, context) => {
      for (const name of Object.keys(headers)) checkHeaderName(context, name, name);
    },
    PathItem: checkAdditionalOperations,
  });

/** The rules as a part of a plugin named `concordat`. */
export const structureRules: NonNullable<Plugin['rules']> = {
  oas3: { documentation, structure, repairs: repairSchemas },
};

/** A check for each kind of object, by the linter's name of it. */
type Checks = Readonly<Record<string, (node: Fields, context: UserContext) => void>>;

/** Earlier versions have other fields, and contracts that have been accepted so far must stay valid. */
function only32(...checks: readonly Checks[]): Oas3Visitor[] {
  return checks.map((each) =>
    Object.fromEntries(
      Object.entries(each).map(([type, check]) => [
        type,
        (node: unknown, context: UserContext) => {
          if (context.specVersion === 'oas3_2' && isFields(node)) check(node, context);
        },
      ]),
    ),
  );
}

function exclusive(pairs: Readonly<Record<string, readonly (readonly [string, string])[]>>): Checks {
  return Object.fromEntries(
    Object.entries(pairs).map(([type, list]) => [
      type,
      (node, context) => {
        for (const [one, other] of list) {
          if (one in node && other in node)
            report(context, other, `\`${one}\` and \`${other}\` exclude each other`);
        }
      },
    ]),
  );
}

function checkParameter(parameter: Fields, context: UserContext): void {
  const { in: location, name, style } = parameter;
  if (location === 'querystring' && 'schema' in parameter)
    report(context, 'schema', 'a parameter in the query string has `content`');
  if ('allowReserved' in parameter && (location === 'header' || style === 'cookie'))
    report(context, 'allowReserved', 'this value is not percent-encoded');
  if (location === 'header') checkHeaderName(context, String(name), 'name');
  if (location === 'path' && /[{}]/.test(String(name)))
    report(context, 'name', 'the name of a path parameter has no braces');
}

function checkHeaderName(context: UserContext, name: string, field: string): void {
  if (!TOKEN.test(name)) report(context, field, `"${name}" is not the name of a header (RFC 9110 §5.6.2)`);
}

function checkAdditionalOperations({ additionalOperations }: Fields, context: UserContext): void {
  if (!isFields(additionalOperations)) return;
  for (const method of Object.keys(additionalOperations)) {
    const message = FIXED_METHODS.has(method.toUpperCase())
      ? `${method} has its own field: ${method.toLowerCase()}`
      : `"${method}" is not a method`;
    if (FIXED_METHODS.has(method.toUpperCase()) || !TOKEN.test(method))
      report(context, ['additionalOperations', method], message);
  }
}

function checkServerVariable(variable: Fields, context: UserContext): void {
  const { enum: values } = variable;
  if (Array.isArray(values) && values.length === 0)
    report(context, 'enum', 'an `enum` has at least one value');
}

function report(context: UserContext, field: string | readonly string[], message: string): void {
  const { source, pointer } = context.location.child([field].flat());
  context.report({ message, location: { source, pointer, reportOnKey: true } });
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

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
