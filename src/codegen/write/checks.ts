/** Chooses what is compiled into validators, and what each check is called. */

import type { Coercion } from '../../engine/contract.js';
import type { MediaTypeModel, OperationModel, ParameterModel } from '../model.js';
import type { Schema } from '../openapi.js';
import { camelCase, pascalCase } from '../read/names.js';

export type Direction = 'request' | 'response';

/** One check to compile. */
export interface CheckOrder {
  /** The export name in `validators.js`. */
  readonly name: string;
  readonly schema: Schema;
  readonly direction: Direction;
  /** What it checks, for the reader of the generated file. */
  readonly about: string;
}

/** The keywords that decoding settles already, or that check nothing. */
const SETTLED_BY_DECODING = new Set([
  'type',
  'nullable',
  'title',
  'description',
  'default',
  'example',
  'examples',
  'deprecated',
]);

/** Collects the checks of a contract; equal schemas share one. */
export class CheckList {
  readonly #byContent = new Map<string, CheckOrder>();
  readonly #names = new Set<string>();

  get orders(): readonly CheckOrder[] {
    return [...this.#byContent.values()];
  }

  /** The name of the check for an operation's decoded parameters; none when decoding alone decides. */
  parameters(operation: OperationModel): string | undefined {
    const locations: Record<string, Record<string, Schema>> = {};
    for (const parameter of operation.parameters) {
      if (isSettledByDecoding(parameter)) continue;
      const location = LOCATION_NAMES[parameter.in];
      (locations[location] ??= {})[parameter.name] = parameter.schema;
    }
    if (Object.keys(locations).length === 0) return undefined;
    const properties = Object.fromEntries(
      Object.entries(locations).map(([name, members]) => [name, { type: 'object', properties: members }]),
    );
    return this.#add(
      `${camelCase(operation.typeName)}Parameters`,
      { type: 'object', properties },
      'request',
      {
        about: `the parameters of ${operation.method} ${operation.path}`,
      },
    );
  }

  /** The name of the check for a body. Component schemas have one check for all their uses. */
  body(owner: string, media: MediaTypeModel, direction: Direction, about: string): string | undefined {
    if (media.schema === undefined || media.kind === 'bytes') return undefined;
    const component = componentName(media.schema);
    if (component !== undefined) {
      const name = `${camelCase(component)}${direction === 'request' ? 'Request' : 'Response'}`;
      return this.#add(name, media.schema, direction, {
        about: `${component}, as a ${direction} carries it`,
      });
    }
    return this.#add(owner, media.schema, direction, { about });
  }

  /** The name of the check for a response header; none when any text will do. */
  header(owner: string, schema: Schema, about: string): string | undefined {
    if (typeof schema === 'object' && Object.keys(schema).every((key) => SETTLED_BY_DECODING.has(key))) {
      if (schema.type === undefined || schema.type === 'string') return undefined;
    }
    return this.#add(owner, schema, 'response', { about });
  }

  #add(
    wanted: string,
    schema: Schema,
    direction: Direction,
    { about }: { readonly about: string },
  ): string | undefined {
    if (schema === true) return undefined;
    const key = `${direction} ${JSON.stringify(schema)}`;
    const known = this.#byContent.get(key);
    if (known) return known.name;
    const stem = /^[\p{L}_$]/u.test(wanted) ? wanted : `_${wanted}`;
    let name = stem;
    for (let n = 2; this.#names.has(name); n += 1) name = `${stem}${String(n)}`;
    this.#names.add(name);
    this.#byContent.set(key, { name, schema, direction, about });
    return name;
  }
}

const LOCATION_NAMES = { path: 'path', query: 'query', header: 'headers', cookie: 'cookies' } as const;

/** What to call the check of one body: `createUserBody`, or with its media type where there are several. */
export function bodyCheckName(
  operation: OperationModel,
  part: string,
  media: MediaTypeModel,
  several: boolean,
): string {
  return `${camelCase(operation.typeName)}${part}${several ? pascalCase(media.mediaType) : ''}`;
}

function isSettledByDecoding(parameter: ParameterModel): boolean {
  return isPlain(parameter.coercion, parameter.schema);
}

/** Whether a schema says nothing beyond the type that its text was turned into. */
function isPlain(coercion: Coercion, schema: Schema): boolean {
  if (typeof schema === 'boolean') return schema;
  if ('anyOf' in coercion || coercion.type === 'json' || coercion.type === 'object') return false;
  const keywords = Object.keys(schema).filter(
    (key) => !SETTLED_BY_DECODING.has(key) && !key.startsWith('x-'),
  );
  if ('items' in coercion) {
    return keywords.every((key) => key === 'items') && isPlain(coercion.items, schema.items ?? true);
  }
  return keywords.length === 0;
}

/** The component that a schema is a bare reference to. */
export function componentName(schema: Schema | undefined): string | undefined {
  if (typeof schema !== 'object' || schema.$ref === undefined || Object.keys(schema).length > 1)
    return undefined;
  return /^#\/components\/schemas\/([^/]+)$/.exec(schema.$ref)?.[1];
}
