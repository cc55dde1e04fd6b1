/** Chooses the schemas that are compiled into validators, and the name of each check. */

import type { Coercion, ParameterLocation } from '@concordat/runtime';
import type {
  HeaderModel,
  MediaTypeModel,
  OperationModel,
  ParameterModel,
  PartModel,
} from '../../contract/model/model.js';
import { fileProperties } from '../../contract/model/form-fields.js';
import type { SchemaNode } from '../../contract/schemas/contract-schemas.js';
import type { ValidatorRequest } from '../../checks/schemas/compile-validators.js';
import type { Schema, SchemaObject } from '../../contract/schemas/document.js';
import { camelCase, freeIdentifier, pascalCase, words } from '../../text/identifiers.js';
import { componentOf } from '../../text/pointer.js';

export type Direction = 'request' | 'response';

/** Keywords that decoding has already checked, or that restrict nothing. */
const SETTLED_BY_DECODING = new Set(words('type title description default example examples deprecated'));

/** Collects the checks of a contract; equal schemas share one. */
export class CheckList {
  readonly #byContent = new Map<string, ValidatorRequest>();
  readonly #names = new Set<string>();

  get orders(): readonly ValidatorRequest[] {
    return [...this.#byContent.values()];
  }

  namesOf(direction: Direction): readonly string[] {
    return this.orders.filter((order) => order.direction === direction).map(({ name }) => name);
  }

  /** The name of the check for an operation's decoded parameters; undefined if decoding suffices. */
  parameters(operation: OperationModel): string | undefined {
    const checked = operation.parameters.filter(({ coercion, node }) => !isPlain(coercion, node.schema));
    if (checked.length === 0) return undefined;
    const schema = { type: 'object', properties: parametersByLocation(checked) };
    return this.#add({
      name: `${camelCase(operation.typeName)}Parameters`,
      schema: { schema, at: operation.pointer, isMessage: true },
      direction: 'request',
      about: `the parameters of ${operation.method} ${operation.path}`,
      // Each operation has its own name even for equal parameters; the compiler shares the function.
      key: operation.id,
    });
  }

  /** The name of the check for a body. Component schemas have one check for all their uses. */
  body(owner: string, media: MediaTypeModel, direction: Direction, about: string): string | undefined {
    const { node, checked } = media;
    if (node === undefined || carriesOnlyBytes(media)) return undefined;
    const files = fileProperties(media);
    if (checked !== undefined || files.length > 0) {
      const schema = checked ?? { pointer: node.at, files };
      const key = JSON.stringify([(checked ?? node).schema, files]);
      return this.#add({ name: owner, schema, direction, about, key });
    }
    return this.#own(owner, node, direction, about);
  }

  /** The name of the check for one part of a form; undefined if decoding suffices. */
  part(owner: string, { value, node }: PartModel, about: string): string | undefined {
    if (('type' in value && value.type === 'file') || isPlain(value, node.schema)) return undefined;
    return this.#own(owner, node, 'request', about);
  }

  #own(owner: string, node: SchemaNode, direction: Direction, about: string): string {
    const component = componentName(node.schema);
    return this.#add({
      name: component === undefined ? owner : `${camelCase(component)}${pascalCase(direction)}`,
      schema: { pointer: node.at },
      direction,
      about: component === undefined ? about : `${component}, as a ${direction} carries it`,
      key: JSON.stringify(node.schema),
    });
  }

  /** The name of the check for a response header; undefined if any text is valid. */
  header({ name, node }: HeaderModel): string | undefined {
    if (node === undefined || isPlain({ type: 'string' }, node.schema)) return undefined;
    return this.#add({
      name: `header${pascalCase(name)}`,
      schema: { pointer: node.at },
      direction: 'response',
      about: `the header ${name}`,
      key: JSON.stringify(node.schema),
    });
  }

  /** The name of a check that recognises one of several alternatives, or a value as it is: it inserts no defaults. */
  alternative(place: string, direction: Direction): string {
    return this.#add({
      name: `is${pascalCase(place.replace(/^#\/(?:components\/schemas|paths)/, ''))}${pascalCase(direction)}`,
      // `anyOf` keeps the check from inserting defaults.
      schema: { schema: { anyOf: [{ $ref: place }] }, at: place },
      direction,
      about: `an alternative: ${place}`,
      key: `alternative ${place}`,
    });
  }

  /** The name of the check for the decoded headers of an answer; undefined if none has a schema. */
  headers(operation: OperationModel, part: string, headers: readonly HeaderModel[]): string | undefined {
    const properties = { headers: objectOf(headers) };
    if (Object.keys(properties.headers.properties).length === 0) return undefined;
    return this.#add({
      name: `${camelCase(operation.typeName)}${part}Headers`,
      schema: { schema: { type: 'object', properties }, at: operation.pointer, isMessage: true },
      direction: 'response',
      about: `the headers of the ${part} answer of ${operation.id}`,
      key: `${operation.typeName} ${part} headers`,
    });
  }

  #add({ key, ...order }: ValidatorRequest & { readonly key: string }): string {
    const content = `${order.direction} ${key}`;
    const known = this.#byContent.get(content);
    if (known) return known.name;
    const name = freeIdentifier(order.name, this.#names);
    this.#byContent.set(content, { ...order, name });
    return name;
  }
}

/** The members of a decoded request, with the parameters that each holds. */
const LOCATIONS: Readonly<Record<string, readonly ParameterLocation[]>> = {
  path: ['path'],
  query: ['query', 'querystring'],
  headers: ['header'],
  cookies: ['cookie'],
};

/**
 * The schemas of the members that have parameters. Each parameter is a reference, so a shared parameter has one check, and one
 * place for its unsupported features.
 */
export function parametersByLocation(
  parameters: readonly ParameterModel[],
): Readonly<Record<string, SchemaObject>> {
  const members = Object.entries(LOCATIONS).flatMap(([key, held]): [string, SchemaObject][] => {
    // Content without a schema has no place to refer to.
    const own = parameters.filter((each) => held.includes(each.in) && each.node.schema !== true);
    return own.length === 0 ? [] : [[key, objectOf(own)]];
  });
  return Object.fromEntries(members);
}

/** The schema of an object whose members are parameters or headers. */
export function objectOf(members: readonly Pick<HeaderModel, 'name' | 'node'>[]): {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, SchemaObject>>;
} {
  const properties = members.flatMap(({ name, node }) => (node ? [[name, { $ref: node.at }] as const] : []));
  return { type: 'object', properties: Object.fromEntries(properties) };
}

/** The name of the check of a body: `createUserBody`, with its media type if there are several. */
export function bodyCheckName(
  operation: OperationModel,
  part: string,
  media: MediaTypeModel,
  several: boolean,
): string {
  return `${camelCase(operation.typeName)}${part}${several ? pascalCase(media.mediaType) : ''}`;
}

/** Whether a schema restricts only the type to which its text was decoded. */
function isPlain(coercion: Coercion, schema: Schema): boolean {
  if (typeof schema === 'boolean') return schema;
  if ('anyOf' in coercion || coercion.type === 'json' || coercion.type === 'object') return false;
  if (coercion.type === 'string' && schema.type !== undefined && schema.type !== 'string') return false;
  const keywords = Object.keys(schema).filter(
    (key) => !SETTLED_BY_DECODING.has(key) && !key.startsWith('x-'),
  );
  if ('items' in coercion)
    return keywords.every((key) => key === 'items') && isPlain(coercion.items, schema.items ?? true);
  return keywords.length === 0;
}

/** Whether a body is bytes, or a sequence of them. */
export function carriesOnlyBytes({ kind, items }: MediaTypeModel): boolean {
  if (items?.format !== 'multipart') return kind === 'bytes' || kind === 'byte-stream';
  return [items.part, ...(items.first ?? [])].every((part) => part.kind === 'bytes');
}

/** The component that a schema is a bare reference to. */
export function componentName(schema: Schema | undefined): string | undefined {
  if (typeof schema !== 'object' || schema.$ref === undefined || Object.keys(schema).length > 1)
    return undefined;
  return componentOf(schema.$ref);
}
