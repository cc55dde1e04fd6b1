/** Records where the parts of a bundled document were written, so that problems are reported with file, line and column. */

import { type LocationObject, type Plugin, type Source, getLineColLocation } from '@redocly/openapi-core';
import type { Position } from '../problems/contract-problem.js';
import { joinPointer, pointerTokens } from '../../text/pointer.js';
import { type Place, type Places, shownFile } from './lint-problems.js';

/** Collects the origins of `$ref` targets while a document is bundled. */
export class Origins {
  /** The origins, by the objects that the bundler puts into the document. */
  readonly #origins = new Map<object, LocationObject>();

  /** A decorator for the bundler, enabled as `concordat/origins`. */
  readonly decorators: NonNullable<Plugin['decorators']> = {
    oas3: {
      origins: () => ({
        ref: {
          leave: (node, _context, resolved) => {
            // This is how the bundler writes a reference to the whole document.
            if (node.$ref === '#/') node.$ref = '#';
            const target = resolved.chain?.[0] ?? resolved;
            if (target.location === undefined) return;
            // The bundler moves the target below `components`, or copies its members into the reference.
            const moved: readonly unknown[] = [node, target.node];
            for (const part of moved)
              if (typeof part === 'object' && part !== null) this.#origins.set(part, target.location);
          },
        },
      }),
    },
  };

  /** Records the origin of an object that is also used in another place of the root document. */
  note(target: object, source: Source, pointer: string): void {
    if (!this.#origins.has(target)) this.#origins.set(target, { source, pointer });
  }

  /** Records that an object was copied. */
  copied(from: object, to: object): void {
    const origin = this.#origins.get(from);
    if (origin !== undefined) this.#origins.set(to, origin);
  }

  /**
   * The position of a place in the bundled document, or of the nearest enclosing part that is in a file.
   *
   * @param root - the file that was bundled
   */
  position(root: Source, document: object, pointer: string, places: Places): Position {
    let location: Place = { source: root, pointer: '#' };
    let value: unknown = document;
    for (const token of pointerTokens(pointer)) {
      location = { ...location, pointer: joinPointer(location.pointer.replace(/\/$/, ''), token) };
      value =
        typeof value === 'object' && value !== null
          ? (value as Readonly<Record<string, unknown>>)[token]
          : undefined;
      if (typeof value !== 'object' || value === null || '$ref' in value) continue;
      const { source, pointer: origin } = this.#origins.get(value) ?? {};
      if (source !== undefined) location = { source, pointer: origin ?? '#' };
    }
    const { source, start } = getLineColLocation({ ...places.of(location), reportOnKey: true });
    return { file: shownFile(source.absoluteRef), line: start.line, column: start.col };
  }
}
