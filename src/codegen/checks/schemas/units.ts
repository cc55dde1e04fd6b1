/** Normalised schemas (JSON Schema 2020-12 and internal keywords) in units that are compiled once, and the names of their functions. */

import { reached } from '@concordat/runtime/parts';
import {
  HOLDERS,
  innerSchemas,
  type LinkedPart,
  type LinkedSchema,
  mapHeld,
  referredIds,
} from '../compiler/linked-schema.js';
import type { ContractSchemas, SchemaNode } from '../../contract/schemas/contract-schemas.js';
import { HELPER_NAMES } from '../compiler/helpers.js';
import { freeName, RESERVED_WORDS, words } from '../../text/identifiers.js';
import { joinPointer, placeTokens, valueAt } from '../../text/pointer.js';

/** A normalised schema: 2020-12's assertions and applicators, and the compiler's own keywords. */
export type NormalSchema = LinkedSchema;

/** One way in which a schema of the document is used. */
export interface Mode {
  /** `both` when the direction makes no difference. */
  readonly direction: 'request' | 'response' | 'both';
  /** True when absent properties get their defaults. */
  readonly defaults: boolean;
  /** True for a parent without its discriminator, as the schemas that extend it use it. */
  readonly base: boolean;
  /** Names that the schema requires, but that are not required here because this direction does not allow them. */
  readonly unrequired: readonly string[];
  /** Where no check reaches, because the values are files. */
  readonly files: Files;
}

/** The properties of a value that are files, or lists of files; or `items`, if the value itself is a list of files. */
export type Files = readonly string[] | 'items';

/** A schema that becomes one function. */
export interface Unit {
  readonly id: string;
  readonly at: string;
  readonly mode: Mode;
  readonly schema: NormalSchema;
}

/** The maximum number of keywords of a schema that is copied to its references instead of called. */
const SMALL = 6;

/** The same schema with other ids in its references. */
function withReferences(schema: NormalSchema, idOf: (id: string) => string): NormalSchema {
  if (typeof schema === 'boolean') return schema;
  const rewritten = Object.entries(schema).map(([keyword, value]) => {
    if (keyword === '$ref') return [keyword, idOf(String(value))];
    if (!HOLDERS.has(keyword)) return [keyword, value];
    return [keyword, mapHeld(keyword, value, (each) => withReferences(each, idOf))];
  });
  return Object.fromEntries(rewritten) as NormalSchema;
}

/** True for a schema that is cheaper to copy than to call. */
export function isSmall(schema: NormalSchema): boolean {
  if (typeof schema === 'boolean') return true;
  const keywords = Object.keys(schema);
  return keywords.length <= SMALL && !keywords.some((keyword) => keyword === '$ref' || HOLDERS.has(keyword));
}

/** A schema that becomes one function. */
export interface Part extends LinkedPart {
  readonly at: string;
}

/** A requested check. */
export interface Root {
  readonly name: string;
  readonly about: string;
  readonly at: string;
  readonly direction: 'request' | 'response';
  readonly schema: NormalSchema;
  /** For the check of a component that is needed by name. */
  readonly named?: {
    readonly component: string;
    /** Whether the check inserts defaults. */
    readonly defaults: boolean;
    /** Whether the module of its direction exports it for this; not if the check is also requested. */
    readonly isExported: boolean;
    /** Whether no module has its function, because all checks copy its small schema. */
    readonly isApart: boolean;
  };
}

/** Parts without duplicates, and the part that replaces each original. */
interface SharedParts {
  readonly parts: readonly Part[];
  /** @throws when no part has this id */
  readonly partOf: (id: string) => Part;
}

/**
 * Merges parts with equal schemas. Schemas that refer to themselves are not merged.
 *
 * @param all a part comes after those that it refers to
 */
export function sharedParts(all: readonly Part[]): SharedParts {
  const bySchema = new Map<string, Part>();
  const standIns = new Map<string, Part>();
  for (const part of all) {
    const schema = withReferences(part.schema, (id) => standIns.get(id)?.id ?? id);
    const text = JSON.stringify(schema);
    const same = bySchema.get(text);
    const kept = same ?? { ...part, schema };
    if (same === undefined) bySchema.set(text, kept);
    standIns.set(part.id, kept);
  }
  const partOf = (id: string): Part => {
    const part = standIns.get(id);
    if (part === undefined) throw new Error(`there is no schema ${id}`);
    return part;
  };
  // A reference within a circle was written before its target, and the target may have been merged since.
  const parts = [...bySchema.values()].map((part) => ({
    ...part,
    schema: withReferences(part.schema, (id) => partOf(id).id),
  }));
  return { parts, partOf };
}

/** The parts with the given ids and all that they refer to, in the order of `parts`. */
export function reachableParts<Each extends Pick<Part, 'id' | 'schema'>>(
  parts: readonly Each[],
  ids: readonly string[],
): readonly Each[] {
  const byId = new Map(parts.map((part) => [part.id, part]));
  const found = reached(ids, (id) => referredIds(byId.get(id)?.schema ?? true));
  return parts.filter(({ id }) => found.has(id));
}

const ENDLESS = 'the schema refers to itself for the same value, so that its check would never end';

/** Reports the component schemas that refer to themselves for the same value, also those that no check needs. */
export function reportEndless(schemas: ContractSchemas): void {
  for (const node of schemas.components) {
    const reached = new Set<SchemaNode>([node]);
    for (const each of reached) {
      for (const next of [each.reference, ...each.under('allOf')]) {
        if (next === node) schemas.unsupported('endless-reference', node.at, ENDLESS);
        if (next !== undefined) reached.add(next);
      }
    }
  }
}

/**
 * Replaces each schema that refers to itself for the same value by one that accepts everything, because its check would never
 * end. Each is reported.
 */
export function finiteParts(parts: readonly Part[], schemas: ContractSchemas): readonly Part[] {
  const next = new Map(parts.map(({ id, schema }) => [id, new Set(referredIds(schema, true))]));
  return parts.map((part) => {
    const within = reached(next.get(part.id) ?? [], (id) => next.get(id) ?? []);
    if (!within.has(part.id)) return part;
    const code = dispatches(part.schema) ? 'discriminator-inheritance' : 'endless-reference';
    schemas.unsupported(code, part.at, ENDLESS);
    return { ...part, schema: true };
  });
}

/** True when a discriminator picks one of the schemas for the value itself. */
function dispatches(schema: NormalSchema): boolean {
  if (typeof schema === 'object' && 'dispatch' in schema) return true;
  return [...innerSchemas(schema, true)].some(dispatches);
}

/** Names that no function may have: reserved words, globals, helpers, and the one local variable whose name does not end in a digit. */
const TAKEN = new Set([
  ...HELPER_NAMES,
  ...RESERVED_WORDS,
  ...['value', 'Array', 'Math', 'Number', 'Object', 'RegExp', 'Set', 'String'],
]);

/** Tokens of a pointer that are omitted from names. */
export const SILENT: ReadonlySet<string> = new Set(
  words('components schemas paths properties content schema $defs responses'),
);

/** Gives each function of a file a unique name. */
export class FunctionNames {
  readonly #taken = new Set(TAKEN);

  /** @param reserved the names of the exports */
  constructor(
    reserved: Iterable<string>,
    private readonly document: unknown,
  ) {
    for (const name of reserved) this.#taken.add(name);
  }

  /** The name for a schema of the document: `checkPet`, `checkPetRequest`. */
  forUnit(at: string, { direction, base, files }: Mode): string {
    const stem = nameOfPlace(this.#tokens(at)) || 'Schema';
    const variant = `${direction === 'both' ? '' : pascal(direction)}${base ? 'Base' : ''}${files.length > 0 ? 'Form' : ''}`;
    return freeName(`check${stem}${variant}`, this.#taken, '_');
  }

  /** The tokens of a place, in which a parameter has its name and not its index. */
  #tokens(at: string): readonly string[] {
    const tokens = placeTokens(at);
    return tokens.map((token, index) => {
      if (tokens[index - 1] !== 'parameters') return token;
      const found = valueAt(this.document, joinPointer('#', ...tokens.slice(0, index + 1)));
      const isNamed = typeof found === 'object' && found !== null && 'name' in found;
      return isNamed && typeof found.name === 'string' ? found.name : token;
    });
  }

  /** The name of the function of an exported check. */
  forExport(name: string): string {
    return freeName(`check${pascal(name)}`, this.#taken, '_');
  }
}

/** The words of a place, as a name: `#/components/schemas/Room/properties/guests` is `RoomGuests`. */
export function nameOfPlace(tokens: readonly string[], silent = SILENT): string {
  return tokens
    .filter((token) => !silent.has(token))
    .map(pascal)
    .join('');
}

/** `get-stations` is `GetStations`; characters that are not allowed in identifiers are left out. */
export function pascal(text: string): string {
  return text
    .split(/[^\p{ID_Continue}]+/u)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
