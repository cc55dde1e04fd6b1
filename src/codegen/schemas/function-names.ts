/** Names for the functions of a generated validators file. */
import { HELPER_NAMES } from '../compiler/helpers.js';
import { RESERVED_WORDS, freeName, words } from '../text/identifiers.js';
import { placeTokens } from '../text/pointer.js';
import type { Mode } from './units.js';

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
  constructor(reserved: Iterable<string>) {
    for (const name of reserved) this.#taken.add(name);
  }

  /**
   * The name for a schema of the document: `checkPet`, `checkPetRequest`.
   *
   * @param exported the name of its export, which the function may share
   */
  forUnit(at: string, { direction, base }: Mode, exported?: string): string {
    const stem = nameOfPlace(placeTokens(at)) || 'Schema';
    const variant = `${direction === 'both' ? '' : pascal(direction)}${base ? 'Base' : ''}`;
    const name = `check${stem}${variant}`;
    return name === exported ? name : freeName(name, this.#taken, '_');
  }

  /** The name of the function of an exported check: that of the export if possible. */
  forExport(name: string): string {
    return TAKEN.has(name) || /^_|\d$/.test(name) ? freeName(`check${pascal(name)}`, this.#taken, '_') : name;
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
