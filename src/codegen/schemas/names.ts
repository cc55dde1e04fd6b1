/** Names for the functions of a generated validators file. */
import { HELPER_NAMES } from '../compiler/helpers.js';
import { placeTokens } from '../text/pointer.js';
import type { Mode } from './normal-schema.js';

/** Words that a function of the generated file must not be called: its own locals end in a digit or stand here. */
const TAKEN = new Set([
  ...HELPER_NAMES,
  'value',
  ...['Array', 'Math', 'Number', 'Object', 'RegExp', 'Set', 'String', 'undefined', 'eval', 'arguments'],
  ...[
    'await',
    'break',
    'case',
    'catch',
    'class',
    'const',
    'continue',
    'debugger',
    'default',
    'delete',
    'do',
    'else',
  ],
  ...['enum', 'export', 'extends', 'false', 'finally', 'for', 'function', 'if', 'implements', 'import', 'in'],
  ...[
    'instanceof',
    'interface',
    'let',
    'new',
    'null',
    'package',
    'private',
    'protected',
    'public',
    'return',
    'static',
  ],
  ...['super', 'switch', 'this', 'throw', 'true', 'try', 'typeof', 'var', 'void', 'while', 'with', 'yield'],
]);

/** Steps of a pointer that tell a reader nothing. */
const SILENT = new Set([
  'components',
  'schemas',
  'paths',
  'properties',
  'content',
  'schema',
  '$defs',
  'responses',
]);

/** Gives each function of one file a name of its own. */
export class FunctionNames {
  readonly #taken = new Set(TAKEN);

  /** @param reserved names that the file's users choose */
  constructor(reserved: Iterable<string>) {
    for (const name of reserved) this.#taken.add(name);
  }

  /**
   * The name for a schema of the document: `checkPet`, `checkPetRequest`.
   *
   * @param exported the name that it is exported as, which it may have although it is reserved
   */
  forUnit(at: string, { direction, base }: Mode, exported?: string): string {
    const words = placeTokens(at).filter((token) => !SILENT.has(token));
    const variant = `${direction === 'both' ? '' : pascal(direction)}${base ? 'Base' : ''}`;
    const name = `check${words.map(pascal).join('') || 'Schema'}${variant}`;
    return name === exported ? name : this.#own(name);
  }

  /** The name inside the file for an exported check: the exported name itself, where that is possible. */
  forExport(name: string): string {
    return TAKEN.has(name) || /^_|\d$/.test(name) ? this.#own(`check${pascal(name)}`) : name;
  }

  #own(wanted: string): string {
    let name = wanted;
    for (let n = 2; this.#taken.has(name); n += 1) name = `${wanted}_${n}`;
    this.#taken.add(name);
    return name;
  }
}

function pascal(text: string): string {
  return text
    .split(/[^\p{ID_Continue}]+/u)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
