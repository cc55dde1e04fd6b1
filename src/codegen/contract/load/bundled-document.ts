/** Corrects a bundled document: the names of added components, the references that the bundler leaves, and its version. */

import { entries, isObject, type OpenApiDocument, type PathItem, isReference } from '../schemas/document.js';
import { type Source, getLineColLocation } from '@redocly/openapi-core';
import { canonicalPointer, joinPointer, pointerTokens, resolvePointer } from '../../text/pointer.js';

/** The names of the components of a document, by section. */
export function componentNames(document: unknown): ReadonlySet<string> {
  return new Set(
    sectionsOf(document).flatMap(([section, members]) =>
      entries(members).map(([name]) => `${section} ${name}`),
    ),
  );
}

/**
 * Gives each added component, in place, the unescaped name to which references resolve, and the references to a component of the document
 * that the bundler took for an added one the escapes of its name.
 *
 * @param own - the names that the document had before
 */
export function renameAdded(document: unknown, own: ReadonlySet<string>): void {
  const escaped = new Map<string, string>();
  for (const [section, members] of sectionsOf(document)) {
    for (const [name, member] of entries(members)) {
      const [meant = name] = pointerTokens(`#/${name}`);
      if (meant === name) continue;
      if (!own.has(`${section} ${name}`)) {
        Object.assign(members as object, { [meant]: member });
        Reflect.deleteProperty(members as object, name);
      } else if (!Object.hasOwn(members as object, meant)) {
        const place = (each: string): string => joinPointer('#/components', section, each);
        escaped.set(place(meant), place(name));
      }
    }
  }
  if (escaped.size > 0) replaceReferences(document, escaped);
}

/**
 * A component that only refers to a part of another file gets the part itself, in place: its name is the author's, which a discriminator
 * means, and that of the added component comes from the file.
 *
 * @param own - the names that the document had before
 */
export function nameByComponents(document: unknown, own: ReadonlySet<string>): void {
  const names = new Map<string, string>();
  for (const [section, members] of sectionsOf(document)) {
    const holder = members as Record<string, unknown>;
    /** The added component that a component only refers to. */
    const targetOf = (name: string): string | undefined => {
      const part = holder[name];
      if (!isReference(part) || Object.keys(part).length > 1 || !part.$ref.startsWith('#/')) return undefined;
      const [components, found, target = '', ...deeper] = pointerTokens(part.$ref);
      if (components !== 'components' || found !== section || deeper.length > 0) return undefined;
      return Object.hasOwn(holder, target) && !own.has(`${section} ${target}`) ? target : undefined;
    };
    for (const [name] of entries(members).filter(([each]) => own.has(`${section} ${each}`))) {
      for (let target = targetOf(name); target !== undefined; target = targetOf(name)) {
        names.set(joinPointer('#/components', section, target), joinPointer('#/components', section, name));
        holder[name] = holder[target];
        Reflect.deleteProperty(holder, target);
      }
    }
  }
  if (names.size > 0) replaceReferences(document, names);
}

/** Replaces references, in place, also those of the mappings of discriminators. */
function replaceReferences(document: unknown, names: ReadonlyMap<string, string>): void {
  const seen = new Set<unknown>();
  const visit = (value: unknown, isMapping: boolean): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    for (const [key, member] of Object.entries(value)) {
      const isPlace = isMapping || /^\$(?:dynamicR|r)ef$/.test(key);
      const name =
        isPlace && typeof member === 'string' && member.startsWith('#/')
          ? names.get(canonicalPointer(member))
          : undefined;
      if (name === undefined) visit(member, key === 'mapping');
      else Object.assign(value, { [key]: name });
    }
  };
  visit(document, false);
}

function sectionsOf(document: unknown): ReturnType<typeof entries> {
  return isObject(document) ? entries(document['components']) : [];
}

/** Replaces a version that was written as a number, such as 1.10, by its text; removes an `info` that is not an object. */
export function writeVersion(document: { info?: unknown }, source: Source): void {
  const { info } = document;
  if (typeof info !== 'object' || info === null) delete document.info;
  else if ('version' in info && typeof info.version !== 'string') {
    const text = typeof info.version === 'number' ? scalarAt(source, '#/info/version') : undefined;
    if (text === undefined) Reflect.deleteProperty(info, 'version');
    else info.version = text;
  }
}

/** The text of a value in the file, up to the end of its line. */
function scalarAt(source: Source, pointer: string): string | undefined {
  const { start, end } = getLineColLocation({ source, pointer });
  const line = source.getLines()[start.line - 1];
  return line?.slice(start.col - 1, end?.line === start.line ? end.col - 1 : undefined);
}

/**
 * A path item may have fields beside its `$ref` (Path Item Object). The two are then merged, and the path item's own fields take
 * precedence.
 */
export function withoutPathReferences(document: OpenApiDocument): OpenApiDocument {
  const merged = (items: OpenApiDocument['paths'] = {}) =>
    Object.fromEntries(
      Object.entries(items).map(([path, item]) => {
        const { $ref, ...own } = item as PathItem & { readonly $ref?: string };
        if ($ref === undefined || Object.keys(own).length === 0) return [path, item];
        return [path, { ...(resolvePointer(document, $ref) as PathItem), ...own }];
      }),
    );
  return {
    ...document,
    ...(document.paths && { paths: merged(document.paths) }),
    ...(document.webhooks && { webhooks: merged(document.webhooks) }),
  };
}

const REFERENCE = /^#\/components\/mediaTypes\//;

/**
 * Replaces the references to `components/mediaTypes` by their targets, in place.
 *
 * @param moved - called with each target and the pointer of the reference to it
 */
export function withMediaTypes(document: object, moved: (target: object, from: string) => void): void {
  const seen = { contents: new Set<object>(), others: new Set<object>() };
  const replace = (value: unknown, key: string): void => {
    const alike = key === 'content' ? seen.contents : seen.others;
    if (typeof value !== 'object' || value === null || alike.has(value)) return;
    alike.add(value);
    for (const [name, member] of Object.entries(value)) {
      const found = key === 'content' ? targetOf(document, member, moved) : undefined;
      if (found !== undefined) Object.assign(value, { [name]: found });
      replace(found ?? member, name);
    }
  };
  replace(document, '');
}

function targetOf(
  document: object,
  value: unknown,
  moved: (target: object, from: string) => void,
): object | undefined {
  const seen = new Set<string>();
  let target = value;
  while (isReference(target) && REFERENCE.test(target.$ref) && !seen.has(target.$ref)) {
    const place = target.$ref;
    seen.add(place);
    target = resolvePointer(document, place);
    if (typeof target === 'object' && target !== null && !isReference(target)) moved(target, place);
  }
  return seen.size > 0 && typeof target === 'object' && target !== null ? target : undefined;
}
