/** Corrects the names of the components that the bundler adds: it takes them from a JSON Pointer without unescaping them. */

import { entries, isObject } from '../schemas/document.js';
import { pointerTokens } from '../text/pointer.js';

/** The names of the components of a document, by section. */
export function componentNames(document: unknown): ReadonlySet<string> {
  return new Set(
    sectionsOf(document).flatMap(([section, members]) =>
      entries(members).map(([name]) => `${section} ${name}`),
    ),
  );
}

/**
 * Gives each added component, in place, the unescaped name to which references resolve.
 *
 * @param own - the names that the document had before
 */
export function renameAdded(document: unknown, own: ReadonlySet<string>): void {
  for (const [section, members] of sectionsOf(document)) {
    for (const [name, member] of entries(members)) {
      const [meant = name] = pointerTokens(`#/${name}`);
      if (meant === name || own.has(`${section} ${name}`)) continue;
      Object.assign(members as object, { [meant]: member });
      Reflect.deleteProperty(members as object, name);
    }
  }
}

function sectionsOf(document: unknown): ReturnType<typeof entries> {
  return isObject(document) ? entries(document['components']) : [];
}
