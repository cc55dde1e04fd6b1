/** Writes a document as it may lie on a disk: one file of JSON or YAML, or several files in folders that refer to each other. */

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { Random } from '../simulation/random.js';
import type { Document } from './draw-document.js';
import { pointerToken } from './names.js';
import { type Node, isNode, memberOf } from './parts.js';
import { yamlOf } from './write-yaml.js';

/** A larger one is only written as one file of JSON. */
const MOST_CHARACTERS = 100_000;

/** The name of a document that is one file of YAML. */
export const SINGLE_YAML = 'single.yaml';

const FOLDERS = ['', 'parts/', 'parts/deep/', 'my parts/', 'é/', 'constructor/'];

/** The keywords whose members are values, in which nothing is a reference. */
const VALUES = /^(?:x-.*|enum|const|default|example|examples)$/;

/** The keywords whose members have names of the author. */
const MAPS = new Set([
  ...['properties', 'patternProperties', 'dependentSchemas', 'schemas', 'parameters', 'responses', 'headers'],
  ...['content', 'callbacks', 'links', 'paths', 'webhooks', 'securitySchemes'],
]);

/** @returns the path of the file to read; undefined if the document is to be one file of JSON */
export async function writeLayout(
  document: Document,
  folder: string,
  random: Random,
): Promise<string | undefined> {
  const text = JSON.stringify(document, undefined, 1);
  const form = text.length > MOST_CHARACTERS ? 0 : random.next();
  if (form < 0.5) return undefined;
  if (form < 0.7) return writePart(folder, SINGLE_YAML, document, random);
  const files = new Splitter(document, random).files();
  for (const [name, part] of files) await writePart(folder, name, part, random);
  return join(folder, [...files.keys()].at(-1) ?? '');
}

/** @returns the path of the file */
export async function writePart(
  folder: string,
  name: string,
  part: unknown,
  random = new Random(0),
): Promise<string> {
  const file = join(folder, name);
  await mkdir(dirname(file), { recursive: true });
  const json = (): string => JSON.stringify(part, undefined, 1);
  await writeFile(
    file,
    typeof part === 'string' ? part : name.endsWith('.json') ? json() : yamlOf(part, random),
  );
  return file;
}

/** Where a part is: a file, and the pointer in it. */
interface Home {
  readonly file: string;
  readonly fragment: string;
}

class Splitter {
  readonly #homes = new Map<string, Home>();
  /** All references lead to the contract itself, as they must where a name says which alternative it is. */
  readonly #isByName: boolean;
  readonly #root: string;

  constructor(
    private readonly document: Document,
    private readonly random: Random,
  ) {
    this.#isByName = JSON.stringify(document).includes('"discriminator":') || random.chance(0.3);
    this.#root = random.pick(['openapi.yaml', 'openapi.json', 'open api.yml']);
    for (const section of ['schemas', 'parameters', 'responses']) {
      const members = memberOf(document['components'], section);
      for (const [index, [name, part]] of Object.entries(isNode(members) ? members : {}).entries()) {
        if (!isNode(part) || random.chance(0.4)) continue;
        const ending = random.pick(['yaml', 'json', 'yml']);
        const isShared = random.chance(0.5);
        const file = `${random.pick(FOLDERS)}${isShared ? 'shared' : `${section}-${String(index)}`}.${ending}`;
        const place = `#/${random.pick(['components/', 'definitions/', ''])}${section}/${pointerToken(name)}`;
        this.#homes.set(pointerOf(section, name), { file, fragment: isShared ? place : '' });
      }
    }
  }

  /** The parts by file, the contract last. */
  files(): ReadonlyMap<string, unknown> {
    const files = new Map<string, unknown>();
    const components: Record<string, unknown> = {};
    const own = this.document['components'];
    for (const [section, members] of Object.entries(isNode(own) ? own : {}))
      components[section] = isNode(members)
        ? Object.fromEntries(
            Object.entries(members).map(([name, part]) => {
              const pointer = pointerOf(section, name);
              return [name, this.#moved(pointer, part, files)];
            }),
          )
        : members;
    const paths = isNode(this.document['paths']) ? this.document['paths'] : undefined;
    const whole = this.#leading({ ...this.document, paths: undefined, components: undefined }, this.#root);
    files.set(this.#root, {
      ...(whole as Node),
      ...('paths' in this.document && {
        paths: paths === undefined ? this.document['paths'] : this.#paths(paths, files),
      }),
      ...(isNode(own) ? { components } : own !== undefined && { components: own }),
    });
    return files;
  }

  #paths(paths: Node, files: Map<string, unknown>): Node {
    return Object.fromEntries(
      Object.entries(paths).map(([path, item], index) => {
        if (!isNode(item) || '$ref' in item || this.random.chance(0.8))
          return [path, this.#leading(item, this.#root)];
        const file = `paths/${String(index)}.yaml`;
        files.set(file, this.#leading(item, file));
        return [path, { $ref: this.#between(this.#root, { file, fragment: '' }) }];
      }),
    );
  }

  /** The part, or a reference to where it is moved. */
  #moved(pointer: string, part: unknown, files: Map<string, unknown>): unknown {
    const home = this.#homes.get(pointer);
    if (home === undefined) return this.#leading(part, this.#root);
    const { file, fragment } = home;
    const moved = this.#leading(part, file);
    const steps = fragment.split('/').slice(1, -1);
    const name = pointer.slice(pointer.lastIndexOf('/') + 1);
    files.set(file, fragment === '' ? moved : withMember(files.get(file), [...steps, nameOf(name)], moved));
    return { $ref: this.#between(this.#root, home) };
  }

  /**
   * The part with references that are right in a file.
   *
   * @param isMap - whether its members have names of the author
   */
  #leading(part: unknown, file: string, isMap = false): unknown {
    if (Array.isArray(part)) return part.map((each) => this.#leading(each, file));
    if (!isNode(part)) return part;
    return Object.fromEntries(
      Object.entries(part)
        .filter(([, member]) => member !== undefined)
        .map(([key, member]) => {
          if (!isMap && VALUES.test(key)) return [key, member];
          if (/^\$(?:dynamicR|r)ef$/.test(key) && typeof member === 'string')
            return [key, this.#reference(member, file)];
          if (key === 'mapping' && isNode(member)) return [key, this.#mapping(member, file)];
          return [key, this.#leading(member, file, !isMap && MAPS.has(key))];
        }),
    );
  }

  #mapping(mapping: Node, file: string): Node {
    return Object.fromEntries(
      Object.entries(mapping).map(([value, target]) => [
        value,
        typeof target === 'string' && target.startsWith('#') ? this.#reference(target, file) : target,
      ]),
    );
  }

  #reference(reference: string, file: string): string {
    if (!reference.startsWith('#')) return reference;
    const home = this.#homes.get(reference);
    if (home === undefined || this.#isByName || this.random.chance(0.2))
      return file === this.#root ? reference : this.#between(file, { file: this.#root, fragment: reference });
    return this.#between(file, home);
  }

  #between(from: string, { file, fragment }: Home): string {
    if (from === file) return fragment === '' ? '#' : fragment;
    const path = posix.relative(posix.dirname(from), file);
    const isBare = this.random.chance(0.5);
    return `${isBare || path.startsWith('.') ? '' : './'}${encodeURI(path)}${fragment}`;
  }
}

const pointerOf = (section: string, name: string): string => `#/components/${section}/${pointerToken(name)}`;

const nameOf = (token: string): string =>
  decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~');

/** A copy of an object with a part at a place in it. */
function withMember(whole: unknown, [step = '', ...others]: readonly string[], part: unknown): Node {
  const own = isNode(whole) ? whole : {};
  const inner = others.length === 0 ? part : withMember(memberOf(own, step), others, part);
  return Object.fromEntries([...Object.entries(own).filter(([name]) => name !== step), [step, inner]]);
}
