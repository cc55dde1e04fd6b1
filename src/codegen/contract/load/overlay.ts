/** Applies overlays (Overlay Specification 1.0 to 1.2): documents that extend an OpenAPI document with operations and fields. */

import { type NormalizedProblem, type Source, bundle, createConfig } from '@redocly/openapi-core';
import { isObject } from '../schemas/document.js';
import { joinPointer, pointerTokens, valueAt } from '../../text/pointer.js';
import { SELECTS_NOTHING } from './harmless-faults.js';
import type { DocumentReader } from './links/link-targets.js';
import type { LinkedDocument } from './links/schema-index.js';
import type { RemotesResolver } from './document-resolver.js';
import { type Place, type Places, parsedSource } from './lint-problems.js';

/** The documents that a contract is made of. */
interface Layers {
  /** The address of the OpenAPI document, which a contract without an overlay is itself. */
  readonly base: string;
  /** The overlays of the document, in the order in which they are applied. */
  readonly overlays: readonly LinkedDocument[];
}

/**
 * Finds the document that a contract extends.
 *
 * @param file the contract; an overlay names the document in its field `extends`, which may be an overlay itself
 * @throws an error that names the overlay which extends no document
 */
export async function layersOf(file: string, reader: DocumentReader): Promise<Layers> {
  const overlays: LinkedDocument[] = [];
  let document = await reader.read(file);
  while (isObject(document.value) && 'overlay' in document.value) {
    const { extends: base } = document.value;
    if (typeof base !== 'string')
      throw new Error('the overlay must name the OpenAPI document that it extends in `extends`');
    const { absoluteRef } = document.source;
    if (overlays.some(({ source }) => source.absoluteRef === absoluteRef))
      throw new Error('the overlay must not extend itself');
    overlays.unshift(document);
    document = await reader.read(base, document);
  }
  return { base: overlays.length === 0 ? file : document.source.absoluteRef, overlays };
}

/**
 * Changes the OpenAPI document by its overlays, in place: later reads with the same resolver get the changed document.
 *
 * @returns the actions that cannot be applied
 */
export async function applyOverlays(
  { base, overlays }: Layers,
  externalRefResolver: RemotesResolver,
): Promise<readonly NormalizedProblem[]> {
  if (overlays.length === 0) return [];
  const restored = overlays.map(({ value }) => withProbes(value));
  const { problems } = await bundle({
    ref: base,
    config: await createConfig({}),
    externalRefResolver,
    overlays: overlays.map(({ source }) => source.absoluteRef),
  });
  for (const restore of restored) restore();
  // Any other problem is found again in the changed document.
  return problems.filter(({ ruleId }) => ruleId === 'overlay').flatMap(withoutProbes);
}

/**
 * Puts a probe before each action, which changes nothing and is reported unless its expression selects one node. The linter does not
 * report a target that selects nothing.
 *
 * @returns a function that removes the probes
 */
function withProbes(overlay: unknown): () => void {
  const actions: unknown = isObject(overlay) ? overlay['actions'] : undefined;
  if (!isObject(overlay) || !Array.isArray(actions)) return () => undefined;
  const probed = (actions as readonly unknown[]).flatMap((action) => {
    const target = isObject(action) ? action['target'] : undefined;
    return [
      typeof target === 'string' ? { target: "$['']['']", copy: target } : { target: '$', update: {} },
      action,
    ];
  });
  Object.assign(overlay, { actions: probed });
  return () => Object.assign(overlay, { actions });
}

/** The problem at its action; of those of a probe, only that it selects nothing. */
function withoutProbes(problem: NormalizedProblem): readonly NormalizedProblem[] {
  const [, index, rest = ''] = /^#\/actions\/(\d+)(.*)$/.exec(problem.location[0]?.pointer ?? '') ?? [];
  if (index === undefined) return [problem];
  const isProbe = Number(index) % 2 === 0;
  if (isProbe && !problem.message.endsWith('it selected 0.')) return [];
  const pointer = joinPointer('#/actions', Math.floor(Number(index) / 2)) + (isProbe ? '/target' : rest);
  const location = problem.location.map((each) => ({ ...each, pointer })) as NormalizedProblem['location'];
  return [{ ...problem, location, ...(isProbe && { message: SELECTS_NOTHING }) }];
}

/** Finds the places of a changed document in its files. */
export class OverlayPlaces implements Places {
  /** @param changed the document with its overlays */
  constructor(
    private readonly overlays: readonly LinkedDocument[],
    private readonly base: Source,
    private readonly changed: unknown,
  ) {}

  /** The place where a part was written: in the overlay that added or replaced it, or the same place. */
  of(place: Place): Place {
    if (this.overlays.length === 0 || place.source !== this.base) return place;
    const tokens = pointerTokens(place.pointer.replace(/\/$/, ''));
    // The linter may add a name to a pointer, so that only the beginning of it is a place.
    for (let end = tokens.length; end > 0; end -= 1) {
      if (this.isOfBase(joinPointer('#', ...tokens.slice(0, end)))) return place;
      // The longest end of the pointer that an update has: the tokens before it are the target of its action.
      for (let start = 0; start < end; start += 1) {
        const found = this.#inOverlays(tokens.slice(start, end));
        if (found !== undefined) return found;
      }
    }
    return place;
  }

  #inOverlays(tokens: readonly string[]): Place | undefined {
    // The last overlay has the last word.
    for (const { source, value } of this.overlays.toReversed()) {
      const actions = isObject(value) ? value['actions'] : undefined;
      if (!Array.isArray(actions)) continue;
      for (const index of actions.keys()) {
        const pointer = joinPointer('#/actions', index, 'update', ...tokens);
        if (valueAt(value, pointer) !== undefined) return { source, pointer };
      }
    }
    return undefined;
  }

  /** Whether the document has a place without its overlays; false if there are none. */
  isOfBase(pointer: string): boolean {
    if (this.overlays.length === 0) return false;
    const own = valueAt(parsedSource(this.base), pointer);
    if (own === undefined) return false;
    return typeof own === 'object' || own === valueAt(this.changed, pointer);
  }
}
