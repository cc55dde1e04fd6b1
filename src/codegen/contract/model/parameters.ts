/** Reads the parameters of an operation: those of its path, overridden by its own (OpenAPI, Path Item Object). */

import type { Coercion, ParameterLocation, ParameterStyle } from '@concordat/runtime';
import type { ParameterModel } from './model.js';
import type { SchemaNode } from '../schemas/contract-schemas.js';
import { defaultOf } from '../schemas/defaults.js';
import type { OperationObject, ParameterObject, PathItem } from '../schemas/document.js';
import { coercionOf } from './schema-shape.js';
import { readFields } from './form-fields.js';
import { essenceOf, isJson } from './media-types.js';
import type { Located, Reader } from './reader.js';
import { joinPointer } from '../../text/pointer.js';
import { words } from '../../text/identifiers.js';

/** "If `in` is `header` and `name` is one of these, the parameter definition SHALL be ignored" (Parameter Object). */
const IGNORED_HEADERS = new Set(['accept', 'content-type', 'authorization']);

const DEFAULT_STYLE: Readonly<Record<ParameterLocation, ParameterStyle>> = {
  path: 'simple',
  query: 'form',
  querystring: 'form',
  header: 'simple',
  cookie: 'form',
};

/** The styles of the "Style Values" table: the locations of each, and the shapes that it can carry. */
const STYLES: Readonly<
  Record<ParameterStyle, { in: readonly ParameterLocation[]; shapes: readonly string[] }>
> = {
  matrix: { in: ['path'], shapes: ['scalar', 'array', 'object'] },
  label: { in: ['path'], shapes: ['scalar', 'array', 'object'] },
  simple: { in: ['path', 'header'], shapes: ['scalar', 'array', 'object'] },
  form: { in: ['query', 'cookie'], shapes: ['scalar', 'array', 'object'] },
  spaceDelimited: { in: ['query'], shapes: ['array', 'object'] },
  pipeDelimited: { in: ['query'], shapes: ['array', 'object'] },
  deepObject: { in: ['query'], shapes: ['object'] },
  cookie: { in: ['cookie'], shapes: ['scalar', 'array', 'object'] },
};

/**
 * The parameters of an operation, in the contract's order.
 *
 * @param template - the names in the path template, in order
 */
export function readParameters(
  reader: Reader,
  pathItem: Located<PathItem>,
  operation: Located<OperationObject>,
  template: readonly string[],
): readonly ParameterModel[] {
  const byKey = new Map<string, Located<ParameterObject>>();
  for (const { value, at } of [pathItem, operation]) {
    for (const [i, declared] of (value.parameters ?? []).entries()) {
      const parameter = reader.follow(declared, joinPointer(at, 'parameters', i));
      byKey.set(parameterKey(parameter.value), parameter);
    }
  }
  const isRead = ({ value: { in: location, name }, at }: Located<ParameterObject>): boolean => {
    if (location !== 'header') return true;
    return !IGNORED_HEADERS.has(name.toLowerCase()) && reader.isHeaderName(name, joinPointer(at, 'name'));
  };
  const read = [...byKey.values()].filter(isRead);
  return read.map((parameter) => readParameter(reader, parameter, template));
}

/** The identity of a parameter: location and name (OpenAPI, Parameter Object). Header names are case-insensitive. */
export function parameterKey({ in: location, name }: Pick<ParameterObject, 'in' | 'name'>): string {
  return `${location} ${location === 'header' ? name.toLowerCase() : name}`;
}

function readParameter(
  reader: Reader,
  { value: parameter, at }: Located<ParameterObject>,
  template: readonly string[],
): ParameterModel {
  const index = template.indexOf(parameter.name);
  if (parameter.in === 'path' && index === -1)
    reader.fault('invalid-structure', at, `the path has no {${parameter.name}}`);
  const node = schemaOf(reader, parameter, at);
  const coercion = parameter.content ? contentCoercion(reader, parameter, at, node) : coercionOf(node);
  const byDefault = defaultOf(node, true)?.value;
  const component = /^#\/components\/parameters\/([^/]+)$/.exec(at)?.[1];
  return {
    ...(component !== undefined && { component }),
    name: parameter.name,
    in: parameter.in,
    ...(parameter.in === 'path' && { index }),
    required: parameter.required === true || parameter.in === 'path',
    ...(!parameter.content && readStyle(reader, parameter, at, coercion)),
    at,
    node,
    coercion,
    ...(parameter.in === 'querystring' && readFormQuery(reader, parameter, at)),
    ...(byDefault !== undefined && { default: byDefault }),
    ...readLeniency(reader, { value: parameter, at }, node, coercion),
  };
}

/** The schema of a parameter: its own, or that of its only media type. */
function schemaOf(reader: Reader, parameter: ParameterObject, at: string): SchemaNode {
  const [entry, ...others] = Object.entries(parameter.content ?? {});
  const said = (parameter.schema === undefined ? 0 : 1) + (entry === undefined ? 0 : 1) + others.length;
  if (said !== 1)
    reader.fault('invalid-structure', at, 'a parameter has a schema, or content with one media type');
  const [holder, place] =
    entry === undefined ? [parameter, at] : [entry[1], joinPointer(at, 'content', entry[0])];
  return reader.schemaOf(holder, place) ?? reader.schemas.made(true, joinPointer(place, 'schema'));
}

/** The coercion of a parameter with `content`: JSON, or for a `querystring` also a form or plain text. */
function contentCoercion(reader: Reader, parameter: ParameterObject, at: string, node: SchemaNode): Coercion {
  const [mediaType = ''] = Object.keys(parameter.content ?? {});
  const essence = essenceOf(mediaType);
  const place = joinPointer(at, 'content', mediaType);
  if (mediaType === '' || isJson(essence)) return { type: 'json' };
  if (parameter.in === 'querystring') {
    const coercion = coercionOf(node);
    if (essence === FORM || ('type' in coercion && coercion.type === 'string')) return coercion;
  }
  reader.unsupported('parameter-media-type', place, `${mediaType} in a parameter is not decoded`);
  return { type: 'json' };
}

const FORM = 'application/x-www-form-urlencoded';

function readFormQuery(
  reader: Reader,
  { content = {} }: ParameterObject,
  at: string,
): Pick<ParameterModel, 'fields'> {
  const [[mediaType, media] = ['', {}]] = Object.entries(content);
  if (essenceOf(mediaType) !== FORM) return {};
  const place = joinPointer(at, 'content', mediaType);
  return { fields: readFields(reader, media, reader.schemaOf(media, place), place, 'form') };
}

function readStyle(
  reader: Reader,
  parameter: ParameterObject,
  at: string,
  coercion: Coercion,
): { readonly style: ParameterStyle; readonly explode: boolean } {
  const style = parameter.style ?? DEFAULT_STYLE[parameter.in];
  const shapes = 'anyOf' in coercion ? coercion.anyOf : [coercion];
  const allowed = STYLES[style];
  if (
    !allowed.in.includes(parameter.in) ||
    !shapes.some((shape) => allowed.shapes.includes(shapeName(shape)))
  ) {
    const message = `the specification does not say how style ${style} carries this value in ${parameter.in}`;
    reader.unsupported('undefined-style', joinPointer(at, 'style'), message);
  }
  for (const shape of shapes) {
    if (holdsComposite(shape, style === 'deepObject')) {
      const message = `the specification does not say how style ${style} carries nested values`;
      reader.unsupported('nested-parameter', at, message);
    }
  }
  if (parameter.allowReserved === true) {
    // The sign + has another meaning only in a query.
    const isQuery = parameter.in === 'query';
    const message = isQuery
      ? 'a + in the value is read as a space, as in every other query parameter'
      : 'the client encodes reserved characters of the value all the same; a server reads both forms';
    reader.unsupported('allow-reserved', joinPointer(at, 'allowReserved'), message, !isQuery);
  }
  if (parameter.allowEmptyValue === true && shapes.every((shape) => !takesEmptyText(shape))) {
    const message = 'an empty value does not fit the schema';
    reader.unsupported('allow-empty-value', joinPointer(at, 'allowEmptyValue'), message);
  }
  return { style, explode: parameter.explode ?? (style === 'form' || style === 'cookie') };
}

function shapeName(shape: Coercion): string {
  if ('anyOf' in shape) return 'scalar';
  return shape.type === 'array' || shape.type === 'object' ? shape.type : 'scalar';
}

/** Whether a shape's parts are arrays or objects themselves; `deepObject` carries arrays by repeating the name. */
function holdsComposite(shape: Coercion, arraysAllowed: boolean): boolean {
  if ('anyOf' in shape) return false;
  const parts =
    'items' in shape ? [shape.items] : 'properties' in shape ? Object.values(shape.properties) : [];
  return parts.some((part) => {
    const name = shapeName(part);
    return (
      name === 'object' || (name === 'array' && !arraysAllowed) || ('type' in part && part.type === 'json')
    );
  });
}

function takesEmptyText(shape: Coercion): boolean {
  return (
    'type' in shape &&
    [shape.type].flat().some((type) => type === 'string' || type === 'null' || type === 'array')
  );
}

/** The keywords allowed beside `x-lenient`: it honours them, or they restrict nothing. Others could still refuse a value. */
const HONOURED = new Set(
  words('$ref type minimum maximum default title description example examples deprecated'),
);

/**
 * Reads the replacement of values that the schema refuses; undefined for a parameter that is not lenient. A lenient
 * parameter that could still fail is a fault.
 */
function readLeniency(
  reader: Reader,
  parameter: Located<ParameterObject>,
  node: SchemaNode,
  coercion: Coercion,
): Pick<ParameterModel, 'lenient'> {
  const lenient = parameter.value['x-lenient'];
  if (lenient === undefined) return {};
  const fault = (message: string): Pick<ParameterModel, 'lenient'> => {
    reader.fault('invalid-leniency', joinPointer(parameter.at, 'x-lenient'), message);
    return {};
  };
  if (typeof lenient !== 'object' || lenient === null || !('fallback' in lenient))
    return fault('say { fallback: <number> }');
  if (!('type' in coercion) || (coercion.type !== 'integer' && coercion.type !== 'number'))
    return fault('only an integer or a number can be lenient');
  if (parameter.value.required === true) return fault('a lenient parameter cannot be required');
  const others = unhonoured(node);
  if (others.length > 0) return fault(`cannot honour ${others.join(', ')}`);
  const { object } = node.target;
  const { minimum = -Infinity, maximum = Infinity } = object;
  const { fallback } = lenient;
  const fits = typeof fallback === 'number' && fallback >= minimum && fallback <= maximum;
  if (!fits || (coercion.type === 'integer' && !Number.isInteger(fallback)))
    return fault('the fallback must fit the schema');
  if (coercion.type === 'integer' && maximum !== Infinity && !Number.isInteger(maximum))
    return fault('the maximum must be an integer, because larger values become it');
  const least = object.minimum !== undefined && { minimum };
  return { lenient: { fallback, ...least, ...(object.maximum !== undefined && { maximum }) } };
}

/** The keywords of a parameter's schema that could refuse a value that leniency accepts. */
function unhonoured({ object, target }: SchemaNode): readonly string[] {
  // A range beside a reference would have to be merged with the range of its target.
  const beside = object.$ref === undefined ? [] : Object.keys(object);
  const ranges = beside.filter((keyword) => keyword === 'minimum' || keyword === 'maximum');
  const keywords = [...beside, ...Object.keys(target.object)];
  return [
    ...new Set([...ranges, ...keywords.filter((each) => !HONOURED.has(each) && !each.startsWith('x-'))]),
  ];
}
