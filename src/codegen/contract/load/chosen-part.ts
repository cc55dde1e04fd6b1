/** Chooses a part of a contract: some operations, and the components that they use. */

import { type OperationChoice, Selection } from '@concordat/runtime/parts';
import type { Fault, FaultKind } from '../problems/contract-problem.js';
import {
  type Fields,
  type ItemOperation,
  elements,
  entries,
  isObject,
  type PathItem,
  type OpenApiDocument,
  followed,
  isReference,
  itemOperations,
  withOperations,
} from '../schemas/document.js';
import { joinPointer, pointerTokens, valueAt } from '../../text/pointer.js';
import { visitObjects } from '../schemas/document-structure.js';

/** A part of a document that is left out, as if its author had not written it. */
export interface LeftPlace {
  /** Its path, or its URL. */
  readonly file: string;
  /** JSON Pointer into the file. */
  readonly pointer: string;
}

/** An operation that the choice leaves out. */
export interface LeftOperation {
  readonly operationId: string | undefined;
  /** Upper-case. */
  readonly method: string;
  readonly path: string;
  /** JSON Pointer. */
  readonly pointer: string;
}

/** The part of a document, the operations outside it, and the faults of the choice. */
interface ChosenPart {
  readonly document: OpenApiDocument;
  readonly left: readonly LeftOperation[];
  readonly faults: readonly Fault[];
}

/**
 * The part of a document that has only the chosen operations, of paths and of webhooks, and the components that they use.
 */
export function chosenPart(document: OpenApiDocument, choice: OperationChoice): ChosenPart {
  const selection = new Selection(choice);
  const isChosen: IsChosen = (path, { method, operation }) => {
    if (!isObject(operation)) return false;
    const { operationId, tags } = operation;
    return selection.has({ id: operationId, method, path, tags: elements(tags).map(String) });
  };
  const part: Record<string, unknown> = { ...document };
  const left = isObject(document.paths) ? leftOperations(document, document.paths, isChosen) : [];
  for (const field of ['paths', 'webhooks'] as const)
    if (isObject(part[field])) part[field] = chosenItems(document, part[field], isChosen);
  const components = new UsedComponents(document, part);
  if (isObject(part['components'])) part['components'] = components.used;
  const faults = [
    ...selection.faults.map((sentence) => fault('unknown-choice', '#/paths', sentence)),
    ...components.faults,
  ];
  return { document: part as unknown as OpenApiDocument, left, faults };
}

function fault(kind: FaultKind, at: string, message: string): Fault {
  return { fault: kind, at, message };
}

/** Whether an operation of a path, or of a webhook of this name, is chosen. */
type IsChosen = (path: string, operation: ItemOperation) => boolean;

/** Path items with the chosen operations; those without any are left out. */
function chosenItems(document: OpenApiDocument, items: Fields, isChosen: IsChosen): Fields {
  const chosen = Object.entries(items).flatMap(([name, declared]): readonly [string, unknown][] => {
    if (name.startsWith('x-')) return [[name, declared]];
    const item = itemAt(document, declared);
    if (!itemOperations(item).some((each) => isChosen(name, each))) return [];
    const part = withOperations(item, (each) => (isChosen(name, each) ? each.operation : undefined));
    return [[name, part]];
  });
  return Object.fromEntries(chosen);
}

function leftOperations(
  document: OpenApiDocument,
  paths: Fields,
  isChosen: IsChosen,
): readonly LeftOperation[] {
  return Object.entries(paths).flatMap(([path, declared]) => {
    const all = itemOperations(itemAt(document, path.startsWith('/') ? declared : undefined));
    const left = all.filter((each) => !isChosen(path, each));
    return left.map(({ method, names, operation }) => {
      const operationId = isObject(operation) ? operation.operationId : undefined;
      return { operationId, method, path, pointer: joinPointer('#/paths', path, ...names) };
    });
  });
}

/** A path item; an empty one for a value that is none. */
function itemAt(document: OpenApiDocument, declared: unknown): PathItem {
  const found = followed(document, declared);
  return isObject(found) ? (found as PathItem) : {};
}

/** Finds the components that a part of a document uses. */
class UsedComponents {
  readonly faults: Fault[] = [];
  readonly #used = new Set<string>();
  readonly #seen = new Set<object>();
  readonly #components: readonly (readonly [pointer: string, value: unknown])[];

  constructor(
    private readonly document: OpenApiDocument,
    private readonly part: Fields,
  ) {
    this.#components = componentsOf(document);
    for (const [field, value] of Object.entries(part))
      if (field !== 'components') this.#follow(value, joinPointer('#', field));
    this.#useSchemes();
  }

  /** The components of the document that are used. */
  get used(): Fields {
    const kinds = Object.entries(this.document.components ?? {}).map(([kind, members]) => {
      if (!isObject(members)) return [kind, members];
      const isUsed = (name: string): boolean => this.#used.has(joinPointer('#/components', kind, name));
      return [kind, Object.fromEntries(Object.entries(members).filter(([name]) => isUsed(name)))];
    });
    return Object.fromEntries(kinds) as Fields;
  }

  /** Uses all components to which a value leads. A text that looks like a reference may also keep one that is not needed. */
  #follow(value: unknown, at: string): void {
    if (typeof value === 'string') {
      if (value.startsWith('#/components/')) this.#use(value);
      else if (/^#\/(?:paths|webhooks)\//.test(value)) this.#requireKept(value, at);
      return;
    }
    if (typeof value !== 'object' || value === null || this.#seen.has(value)) return;
    this.#seen.add(value);
    for (const [key, member] of Object.entries(value)) this.#follow(member, joinPointer(at, key));
    if (isObject(value)) this.#useRelatives(value, at);
  }

  #use(reference: string): void {
    const [components, kind, name] = pointerTokens(reference);
    if (components === undefined || kind === undefined || name === undefined) return;
    const pointer = joinPointer('#', components, kind, name);
    if (this.#used.has(pointer)) return;
    this.#used.add(pointer);
    this.#follow(valueAt(this.document, pointer), pointer);
  }

  /** Schemas to which no reference leads: those that a discriminator picks by name, and the targets of `$dynamicRef`. */
  #useRelatives(value: Fields, at: string): void {
    const { discriminator, $dynamicRef } = value;
    if (isObject(discriminator)) {
      const mapping = isObject(discriminator['mapping']) ? Object.values(discriminator['mapping']) : [];
      for (const name of [...mapping, discriminator['defaultMapping']])
        if (typeof name === 'string') this.#useNamed(name);
      this.#useWhere(({ allOf }) => elements(allOf).some((each) => isReference(each) && each.$ref === at));
    }
    if ($dynamicRef !== undefined)
      this.#useWhere((schema) => JSON.stringify(schema).includes('"$dynamicAnchor"'));
  }

  #useNamed(name: string): void {
    const pointer = joinPointer('#/components/schemas', name);
    if (valueAt(this.document, pointer) !== undefined) this.#use(pointer);
  }

  #useWhere(isUsed: (schema: Fields) => boolean): void {
    for (const [pointer, value] of this.#components)
      if (pointer.startsWith('#/components/schemas/') && isObject(value) && isUsed(value)) this.#use(pointer);
  }

  /** The security schemes that operations name, also those of callbacks. */
  #useSchemes(): void {
    const { security: common = [] } = this.document;
    visitObjects({ ...this.part, components: this.used }, 'document', (value, kind) => {
      if (kind !== 'operation') return;
      for (const [name] of elements(value['security'] ?? common).flatMap(entries))
        this.#use(
          name.startsWith('#/components/') ? name : joinPointer('#/components/securitySchemes', name),
        );
    });
  }

  #requireKept(reference: string, at: string): void {
    if (at.endsWith('/operationRef') || valueAt(this.part, reference) !== undefined) return;
    const message = `this refers to ${reference}, which is left out: choose its operation too, or move it to components`;
    this.faults.push(fault('unresolved-reference', at, message));
  }
}

function componentsOf({ components = {} }: OpenApiDocument): readonly (readonly [string, unknown])[] {
  return Object.entries(components).flatMap(([kind, members]) =>
    entries(members).map(([name, value]) => [joinPointer('#/components', kind, name), value] as const),
  );
}
