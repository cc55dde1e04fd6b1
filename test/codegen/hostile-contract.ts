/** Puts a hostile text into the strings of a contract: its values, and the names of its members. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ContractError, generate } from 'concordat';
import { canonicalPointer, joinPointer, pointerTokens } from '../../src/codegen/text/pointer.js';

/** The fields whose members have names that the contract chooses. */
const NAMED =
  /^(?:paths|webhooks|schemas|properties|patternProperties|dependentSchemas|\$defs|responses|parameters|headers|requestBodies|content|callbacks|examples|links|securitySchemes|mapping|scopes|variables|encoding|pathItems|mediaTypes|tags)$/;

/** The fields that hold data, in which every string is free. */
const DATA = /^(?:example|examples|default|enum|const|value|x-.*)$/;

/** A string of a document: a value, or the name of a member. */
interface Place {
  readonly at: string;
  readonly kind: 'value' | 'name';
}

/** Every string of a document that the contract chooses: not the names of fields. */
export function placesIn(value: unknown, at = '#', isFree = false, field = ''): readonly Place[] {
  if (typeof value === 'string') return [{ at, kind: 'value' }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const inside = joinPointer(at, key);
    const isNamed = isFree || NAMED.test(field) || key.startsWith('x-');
    const own: readonly Place[] =
      isNamed && !/\/security\/\d+$/.test(at) && !Array.isArray(value) ? [{ at: inside, kind: 'name' }] : [];
    // The members of a callback have names too.
    const below = field === 'callbacks' ? 'callbacks' : NAMED.test(field) ? '' : key;
    return [...own, ...placesIn(member, inside, isFree || (below === key && DATA.test(key)), below)];
  });
}

const keyOf = ({ at, kind }: Place): string => `${kind} ${at}`;

interface Changed {
  readonly document: object;
  /** The pointers of what has changed, by those of the original. */
  readonly renamed: ReadonlyMap<string, string>;
}

/** A copy of a document with the text added to its strings at some places. References follow the names that change. */
function withText(document: object, places: readonly Place[], text: string): Changed {
  const wanted = new Set(places.map(keyOf));
  const renamed = new Map<string, string>();
  const changed = (value: unknown, at: string, to: string): unknown => {
    renamed.set(at, to);
    if (typeof value === 'string') return wanted.has(`value ${at}`) ? value + text : value;
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value))
      return value.map((item, index) => changed(item, joinPointer(at, index), joinPointer(to, index)));
    return Object.fromEntries(
      Object.entries(value).map(([key, member]): [string, unknown] => {
        const inside = joinPointer(at, key);
        // A requirement names a scheme.
        const named = /\/security\/\d+$/.test(at) ? joinPointer('#/components/securitySchemes', key) : inside;
        const name = wanted.has(`name ${named}`) ? key + text : key;
        return [name, changed(member, inside, joinPointer(to, name))];
      }),
    );
  };
  const followed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(followed);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]: [string, unknown]) => {
        const isReference = key === '$ref' && typeof member === 'string' && member.startsWith('#/');
        const target = isReference ? renamed.get(joinPointer('#', ...pointerTokens(member))) : undefined;
        return [key, target === undefined ? followed(member) : encodeURI(target).replaceAll('%25', '%')];
      }),
    );
  };
  return { document: followed(changed(document, '#', '#')) as object, renamed };
}

/** What is generated, or the places that were refused. */
type Outcome =
  { readonly files: Readonly<Record<string, string>> } | { readonly refused: ReadonlySet<string> };

/** Generates with everything accepted that can be. */
async function outcomeOf(document: object): Promise<Outcome> {
  const directory = await mkdtemp(join(tmpdir(), 'concordat-hostile-'));
  try {
    const openapi = join(directory, 'openapi.json');
    await writeFile(openapi, JSON.stringify(document));
    let accept: readonly string[] = [];
    for (;;) {
      try {
        return {
          files: await generate({ openapi, accept, lenient: true, clientTypes: true, standardSchemas: true }),
        };
      } catch (error) {
        if (!(error instanceof ContractError)) throw error;
        const faults = error.problems.filter(({ fault }) => fault !== undefined);
        const failure = faults.find(({ fault }) => fault === 'generator-failure');
        if (failure !== undefined) throw error;
        if (faults.length > 0)
          return { refused: new Set(faults.map(({ pointer = '#' }) => canonicalPointer(pointer))) };
        accept = [...new Set([...accept, ...error.problems.map(({ feature = '' }) => feature)])];
      }
    }
  } finally {
    await rm(directory, { recursive: true });
  }
}

export interface Attempt {
  readonly files: Readonly<Record<string, string>>;
  /** The places that held the text. */
  readonly held: readonly Place[];
}

/** Puts the text into all places at once that a contract may have it in. Undefined where no such contract is accepted. */
export async function allHostile(
  document: object,
  places: readonly Place[],
  text: string,
): Promise<Attempt | undefined> {
  let held = places;
  while (held.length > 0) {
    const changed = withText(document, held, text);
    const outcome = await outcomeOf(changed.document);
    if ('files' in outcome) return { files: outcome.files, held };
    const guilty = new Set([...outcome.refused].flatMap((fault) => guiltyOf(fault, held, changed.renamed)));
    if (guilty.size > 0) held = held.filter((place) => !guilty.has(place));
    else return halves(document, held, text);
  }
  return undefined;
}

/** A fault may be about the strings of other places together: then the halves are tried alone, and what is left of both. */
async function halves(
  document: object,
  places: readonly Place[],
  text: string,
): Promise<Attempt | undefined> {
  if (places.length < 2) return undefined;
  const middle = Math.ceil(places.length / 2);
  const first = await allHostile(document, places.slice(0, middle), text);
  const second = await allHostile(document, places.slice(middle), text);
  if (first === undefined || second === undefined) return first ?? second;
  const held = [...first.held, ...second.held];
  const both = held.length < places.length ? await allHostile(document, held, text) : undefined;
  return [first, second, ...(both ? [both] : [])].toSorted((a, b) => b.held.length - a.held.length)[0];
}

/** The strings that a fault may be about: those at its place, else those of the object there, else the nearest name around it. */
function guiltyOf(fault: string, held: readonly Place[], renamed: Changed['renamed']): readonly Place[] {
  const near = (test: (at: string) => boolean): readonly Place[] =>
    held.filter(({ at }) => test(renamed.get(at) ?? ''));
  const here = near((at) => at === fault);
  if (here.length > 0) return here;
  const inside = near((at) => at.slice(0, at.lastIndexOf('/')) === fault);
  if (inside.length > 0) return inside;
  return near((at) => fault.startsWith(`${at}/`)).slice(-1);
}
