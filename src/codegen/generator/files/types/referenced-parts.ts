/** Makes a component of every part that is referenced by its place, because openapi-typescript only types references to components. */

import { FIELDS, type Kind, visitObjects } from '../../../contract/load/document-structure.js';
import { isObject } from '../../../contract/schemas/document.js';
import { nameOfPlace } from '../../../checks/schemas/units.js';
import { freeName } from '../../../text/identifiers.js';
import { joinPointer, pointerTokens, valueAt } from '../../../text/pointer.js';

/** The section of components for each kind of object. References to other objects are resolved in place. */
const SECTIONS: Readonly<Partial<Record<Kind, string>>> = {
  schema: 'schemas',
  parameter: 'parameters',
  header: 'headers',
  requestBody: 'requestBodies',
  response: 'responses',
  pathItem: 'pathItems',
};

/** Changes a copy of a document, in place. */
export function nameReferencedParts(document: object & { readonly components: object }): void {
  const components = document.components as Record<string, Record<string, unknown>>;
  /** The references to the components of parts, by kind and place. */
  const known = new Map<string, string>();
  const seen = new Set<object>();
  const schemas: object[] = [];

  const visit = (value: Record<string, unknown>, kind: Kind): void => {
    // A reference that is no text, or in an object that allows none, has already been reported.
    if (typeof value['$ref'] !== 'string' || SECTIONS[kind] === undefined)
      Reflect.deleteProperty(value, '$ref');
    else value['$ref'] = named(value['$ref'], kind) ?? value['$ref'];
    for (const [name, [inside, levels]] of Object.entries(FIELDS[kind])) {
      const members = value[name];
      if (inside === 'schema' && (Array.isArray(members) || (levels === 1 && isObject(members))))
        onlySchemas(members);
    }
    if (kind !== 'schema') return;
    schemas.push(value);
    const { discriminator } = value;
    if (!isObject(discriminator) || !isObject(discriminator['mapping'])) return;
    const mapping = discriminator['mapping'] as Record<string, unknown>;
    for (const [tag, reference] of Object.entries(mapping))
      if (typeof reference === 'string') mapping[tag] = named(reference, kind) ?? reference;
  };

  /** The reference to the component; undefined if the reference stays unchanged. */
  const named = (reference: string, kind: Kind): string | undefined => {
    const section = SECTIONS[kind];
    if (section === undefined || !reference.startsWith('#')) return undefined;
    const tokens = pointerTokens(reference);
    const isComponent = tokens.length === 3 && tokens[0] === 'components' && tokens[1] === section;
    const isPath = kind === 'pathItem' && tokens.length === 2;
    if (isComponent || isPath) return joinPointer('#', ...tokens);
    const key = joinPointer(section, ...tokens);
    const target = valueAt(document, reference);
    if (known.has(key) || target === undefined) return known.get(key);
    const others = (components[section] ??= {});
    const name = freeName(nameOfPlace(tokens) || 'Part', new Set(['__proto__', ...Object.keys(others)]));
    const made = joinPointer('#/components', section, name);
    known.set(key, made);
    others[name] = structuredClone(target);
    visitObjects(others[name], kind, visit, made, seen);
    return made;
  };

  visitObjects(document, 'document', visit, '#', seen);
  // openapi-typescript would add a property `$defs` to the type of the schema.
  for (const schema of schemas) Reflect.deleteProperty(schema, '$defs');
}

/** Replaces members that are no schemas by `true`; compiling the checks reports them. */
function onlySchemas(members: object): void {
  for (const [name, member] of Object.entries(members)) {
    if (!isObject(member) && typeof member !== 'boolean') Object.assign(members, { [name]: true });
  }
}
