/** Makes a component of every part that is referenced by its place, because openapi-typescript only types references to components. */

import { isObject } from '../../schemas/document.js';
import { nameOfPlace } from '../../schemas/names.js';
import { freeName, words } from '../../text/identifiers.js';
import { joinPointer, pointerTokens, valueAt } from '../../text/pointer.js';

/** The kinds of objects that hold references, with their section of components. Objects without a section are resolved in place. */
const SECTIONS = {
  schema: 'schemas',
  parameter: 'parameters',
  header: 'headers',
  requestBody: 'requestBodies',
  response: 'responses',
  pathItem: 'pathItems',
  mediaType: undefined,
  operation: undefined,
  encoding: undefined,
  components: undefined,
  document: undefined,
} as const;

type Kind = keyof typeof SECTIONS;

/** The contents of a field: objects of a kind, alone or in a list; objects by name (1); or callbacks, with two levels of names (2). */
type Field = readonly [kind: Kind, levels?: 1 | 2];

const each = (names: string, ...field: Field): Readonly<Record<string, Field>> =>
  Object.fromEntries(words(names).map((name) => [name, field]));

const METHOD_NAMES = 'get put post delete options head patch trace query';

/** The fields that may hold references, by kind of object (OpenAPI 3.0 to 3.2, JSON Schema 2020-12). */
const FIELDS: Readonly<Record<Kind, Readonly<Record<string, Field>>>> = {
  document: { ...each('paths webhooks', 'pathItem', 1), components: ['components'] },
  components: {
    schemas: ['schema', 1],
    parameters: ['parameter', 1],
    headers: ['header', 1],
    requestBodies: ['requestBody', 1],
    responses: ['response', 1],
    pathItems: ['pathItem', 1],
    mediaTypes: ['mediaType', 1],
    callbacks: ['pathItem', 2],
  },
  pathItem: {
    ...each(METHOD_NAMES, 'operation'),
    parameters: ['parameter'],
    additionalOperations: ['operation', 1],
  },
  operation: {
    parameters: ['parameter'],
    requestBody: ['requestBody'],
    responses: ['response', 1],
    callbacks: ['pathItem', 2],
  },
  parameter: { schema: ['schema'], content: ['mediaType', 1] },
  header: { schema: ['schema'], content: ['mediaType', 1] },
  requestBody: { content: ['mediaType', 1] },
  response: { headers: ['header', 1], content: ['mediaType', 1] },
  mediaType: {
    ...each('schema itemSchema', 'schema'),
    ...each('itemEncoding prefixEncoding', 'encoding'),
    encoding: ['encoding', 1],
  },
  encoding: { headers: ['header', 1] },
  schema: {
    ...each('properties patternProperties dependentSchemas $defs definitions', 'schema', 1),
    ...each(
      'allOf anyOf oneOf not if then else items prefixItems additionalItems contains contentSchema',
      'schema',
    ),
    ...each('additionalProperties propertyNames unevaluatedItems unevaluatedProperties', 'schema'),
  },
};

/** Changes a copy of a document, in place. */
export function nameReferencedParts(copy: object & { readonly components: object }): void {
  const components = copy.components as Record<string, Record<string, unknown>>;
  const parts = new ReferencedParts(copy, components);
  parts.visit(copy, 'document');
  // openapi-typescript would add a property `$defs` to the type of the schema.
  for (const schema of parts.schemas) Reflect.deleteProperty(schema, '$defs');
}

class ReferencedParts {
  /** The references to the components of parts, by kind and place. */
  readonly #known = new Map<string, string>();
  readonly #seen = new Set<object>();
  readonly schemas: object[] = [];

  constructor(
    private readonly document: object,
    private readonly components: Record<string, Record<string, unknown>>,
  ) {}

  visit(value: unknown, kind: Kind): void {
    if (Array.isArray(value)) {
      if (kind === 'schema') onlySchemas(value);
      for (const item of value) this.visit(item, kind);
      return;
    }
    if (!isObject(value) || this.#seen.has(value)) return;
    this.#seen.add(value);
    // A reference that is no text, or in an object that allows none, has already been reported.
    if (typeof value['$ref'] !== 'string' || SECTIONS[kind] === undefined)
      Reflect.deleteProperty(value, '$ref');
    else this.#follow(value, value['$ref'], kind);
    const { discriminator } = value;
    if (kind === 'schema' && isObject(discriminator) && isObject(discriminator['mapping'])) {
      const mapping = discriminator['mapping'] as Record<string, unknown>;
      for (const [tag, reference] of Object.entries(mapping))
        if (typeof reference === 'string') mapping[tag] = this.#reference(reference, kind) ?? reference;
    }
    for (const [name, [inside, levels = 0]] of Object.entries(FIELDS[kind]))
      if (Object.hasOwn(value, name)) this.#named(value[name], inside, levels);
    if (kind === 'schema') this.schemas.push(value);
  }

  #named(value: unknown, kind: Kind, levels: number): void {
    if (levels === 0) this.visit(value, kind);
    else if (isObject(value)) {
      if (kind === 'schema' && levels === 1) onlySchemas(value);
      for (const member of Object.values(value)) this.#named(member, kind, levels - 1);
    }
  }

  #follow(holder: Record<string, unknown>, reference: string, kind: Kind): void {
    const named = this.#reference(reference, kind);
    if (named !== undefined) holder['$ref'] = named;
  }

  /** The reference to the component; undefined if the reference stays unchanged. */
  #reference(reference: string, kind: Kind): string | undefined {
    const section = SECTIONS[kind];
    if (section === undefined || !reference.startsWith('#')) return undefined;
    const tokens = pointerTokens(reference);
    const isComponent = tokens.length === 3 && tokens[0] === 'components' && tokens[1] === section;
    const isPath = kind === 'pathItem' && tokens.length === 2;
    if (isComponent || isPath) return joinPointer('#', ...tokens);
    const key = joinPointer(section, ...tokens);
    const known = this.#known.get(key);
    const target = valueAt(this.document, reference);
    if (known !== undefined || target === undefined) return known;
    const named = (this.components[section] ??= {});
    const name = freeName(nameOfPlace(tokens) || 'Part', new Set(['__proto__', ...Object.keys(named)]));
    const made = joinPointer('#/components', section, name);
    this.#known.set(key, made);
    const part: unknown = structuredClone(target);
    named[name] = part;
    this.visit(part, kind);
    return made;
  }
}

/** Replaces members that are no schemas by `true`; compiling the checks reports them. */
function onlySchemas(members: object): void {
  for (const [name, member] of Object.entries(members)) {
    if (!isObject(member) && typeof member !== 'boolean') Object.assign(members, { [name]: true });
  }
}
