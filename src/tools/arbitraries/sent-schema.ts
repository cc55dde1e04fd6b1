/** Makes the schemas of the values that a message can carry: parameters, fields of forms, files and events. */

import type { Coercion, FieldCodec, FieldCodecs, FileCodec } from '@concordat/runtime';
import type { OperationContract, ParameterCodec } from '@concordat/runtime';
import { PLACES, compileScalar, parsedJson } from '@concordat/runtime/parts';
import fc from 'fast-check';
import type { Schema, SchemaObject } from '../values/parts.js';

type Fits = (text: string) => boolean;

/** Whether a location can carry a text. */
const FITS: Readonly<Record<ParameterCodec['in'], Fits>> = {
  // URL Standard, "double-dot URL path segment".
  path: (text) => !/^(?:\.{0,2})$/.test(text),
  query: () => true,
  querystring: () => true,
  // RFC 9110 §5.5: no control characters, and no white space at the ends.
  header: (text) => /^[!-~](?:[ -~]*[!-~])?$/.test(text),
  cookie: (text) => /^[!#-+\--:<-[\]-~]*$/.test(text),
};

/** Whether a text can be inside a list or object: it is not empty, and contains no delimiter of a style. */
const isItem: Fits = (text) => !/^$|[ |,=]/.test(text);

/** The schema of `{ path, query, headers, cookies }`: the values that decoding can return, and the contract's check. */
export function parametersSchema({ parameters = [], checkParameters }: OperationContract): Schema {
  const places = new Map<string, ParameterCodec[]>();
  for (const parameter of parameters) {
    const place = PLACES[parameter.in];
    places.set(place, [...(places.get(place) ?? []), parameter]);
  }
  const schemas = [...places].map(([place, codecs]) => [place, placeSchema(codecs)] as const);
  return {
    type: 'object',
    properties: Object.fromEntries(schemas),
    required: [...places.keys()],
    ...(checkParameters && { $ref: checkParameters }),
  };
}

function placeSchema(codecs: readonly ParameterCodec[]): Schema {
  const schemas = codecs.map(({ in: location, name, value, fields }) => {
    return [
      name,
      fields === undefined ? coercedSchema(value, FITS[location]) : fieldsSchema(fields),
    ] as const;
  });
  // A handler always gets the parameters with a default.
  const required = codecs.filter((codec) => codec.required === true || 'default' in codec);
  return {
    type: 'object',
    properties: Object.fromEntries(schemas),
    required: required.map(({ name }) => name),
    additionalProperties: false,
  };
}

/** The schema of an event that a body of server-sent events can carry; an event without data is dropped. */
export function eventSchema(data: 'json' | 'mixed' | undefined): Schema {
  const line = { type: 'string', ...texts('one line', (given) => !/[\r\n\0]/.test(given)) };
  // A line break of the data is sent as `\n`.
  const isLines: Fits = (given) => !given.includes('\r');
  const text = texts('lines', isLines);
  const mixed = texts('no JSON', (given) => isLines(given) && parsedJson(given) === undefined);
  const datas = { json: true, mixed: { type: JSON_TYPES, ...mixed }, text: { type: 'string', ...text } };
  return {
    type: 'object',
    required: ['data'],
    properties: {
      data: datas[data ?? 'text'],
      event: line,
      id: line,
      retry: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
    },
    additionalProperties: false,
  };
}

/** The keywords of a format that only this file uses. */
const texts = (format: string, fits: Fits): SchemaObject => ({ format, fitsFormat: { string: fits } });

const JSON_TYPES = ['object', 'array', 'string', 'number', 'boolean', 'null'];

/** The schema of a form. */
export function fieldsSchema(fields: FieldCodecs): Schema {
  const entries = Object.entries(fields).map(([name, { value }]) => [name, fieldSchema(value)] as const);
  return { type: 'object', properties: Object.fromEntries(entries) };
}

function fieldSchema(value: FieldCodec['value']): Schema {
  if (!('type' in value)) return coercedSchema(value, FITS.query);
  if (value.type === 'file') return { arbitrary: fileOf(value) };
  if ('items' in value && 'type' in value.items && value.items.type === 'file')
    return { arbitrary: fc.array(fileOf(value.items), { minLength: 1, maxLength: 3 }) };
  return coercedSchema(value as Coercion, FITS.query);
}

function fileOf({ contentTypes: [type = 'application/octet-stream'] = [] }: FileCodec): fc.Arbitrary<File> {
  return fc
    .tuple(fc.uint8Array(), fc.stringMatching(/^[a-z]{1,8}\.[a-z]{3}$/))
    .map(([bytes, name]) => new File([bytes], name, { type: type.replace(/\*$/, 'x-any') }));
}

/** The schema of the values that decoding makes from text. */
function coercedSchema(coercion: Coercion, fits: Fits): Schema {
  const inner = (each: Coercion): Schema => coercedSchema(each, (text) => isItem(text) && fits(text));
  if ('anyOf' in coercion) return { anyOf: coercion.anyOf.map((each) => coercedSchema(each, fits)) };
  if ('items' in coercion) return { type: 'array', items: inner(coercion.items), minItems: 1 };
  if ('properties' in coercion) {
    const { properties, additional } = coercion;
    const entries = Object.entries(properties).map(([name, each]) => [name, inner(each)] as const);
    return {
      type: 'object',
      properties: Object.fromEntries(entries),
      additionalProperties: additional === undefined ? false : inner(additional),
      minProperties: 1,
      propertyNames: texts('a name that needs no escape', isItem),
    };
  }
  if (coercion.type === 'json') return true;
  const named = [coercion.type].flat().map((type) => (type === 'exact' ? 'integer' : type));
  // A client omits a value that is null.
  const types = named.length > 1 ? named.filter((type) => type !== 'null') : named;
  const read = compileScalar(coercion.type);
  // Decoding may read a text such as `7` as another of the types.
  const isRead: Fits = (text) => typeof read(text) === 'string' && fits(text);
  return { type: types, ...(types.includes('string') && texts('what can be sent', isRead)) };
}
