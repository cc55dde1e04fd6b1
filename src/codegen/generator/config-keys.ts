/** The options in `codegen.ts`: the tables of their keys, by which they are typed, checked, merged with those of a command, and listed. */

import { SELECTOR_FORMS, isObject, selectorTest } from '@concordat/runtime/parts';
import type { GenerateOptions } from './generate.js';

/** A key, with the values that it takes. */
export interface Key<Value = unknown> {
  readonly takes: (value: unknown) => value is Value;
  /** To be read after the name of the key and `must be`. */
  readonly must: string;
  /** The option of the command line, as its parser names it, if that is not the key. */
  readonly option?: string;
  /** The keys of an object. */
  readonly keys?: Keys;
}

type Keys = Readonly<Record<string, Key>>;

/** An object that may have each of some keys. */
type Section<Table extends Keys> = {
  readonly [Name in keyof Table]?: Table[Name] extends Key<infer Value> ? Value : never;
};

/** A value that is read from an environment variable when a command runs: `{ env: 'API_TOKEN' }`. */
interface FromEnvironment {
  readonly env: string;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every(isText);
const isUpTo =
  (most: number) =>
  (value: unknown): value is number =>
    typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most;
const isFromEnvironment = (value: unknown): value is FromEnvironment =>
  isObject(value) && isText(value['env']) && Object.keys(value).length === 1;
const isRecordOf =
  <Value>(takes: Key<Value>['takes']) =>
  (value: unknown): value is Readonly<Record<string, Value>> =>
    isObject(value) && Object.values(value).every(takes);

/** Whether a value is the address of a server. */
export const isAddress = (value: unknown): boolean =>
  isText(value) && /^https?:\/\/./i.test(value) && URL.canParse(value);

const text = { takes: isText, must: 'a text' };
const texts = { takes: isTexts, must: 'a list of texts' };
const selectors = {
  takes: (value: unknown): value is readonly string[] =>
    isTexts(value) && value.every((each) => selectorTest(each) !== undefined),
  must: `a list of ${SELECTOR_FORMS}`,
};
const notice = {
  takes: (value: unknown): value is number | 'never' => value === 'never' || isUpTo(9999)(value),
  must: "a number of days, or 'never'",
};
const flag = {
  takes: (value: unknown): value is boolean => typeof value === 'boolean',
  must: 'true or false',
};
const count = { takes: isUpTo(999_999_999), must: 'a whole number' };
const port = { takes: isUpTo(65_535), must: 'a number from 0 to 65535' };
const seed = {
  takes: (value: unknown): value is string | number => isText(value) || isUpTo(9999)(value),
  must: 'a number of records, or the name of a file',
};
const url = {
  takes: (value: unknown): value is string => isAddress(value),
  must: 'an address such as http://localhost:3000',
};
const object = { takes: isObject, must: 'an object' };
const choice = <const Name extends string>(...names: readonly Name[]): Key<Name> => ({
  takes: (value): value is Name => names.some((name) => name === value),
  must: `one of ${names.join(', ')}`,
});
/** An object with these keys; `requireKeys` checks its values. */
const section = <const Table extends Keys>(keys: Table) => ({
  takes: isObject as unknown as Key<Section<Table>>['takes'],
  must: 'an object',
  keys,
});

/** The contracts of an API, and the options of the generator. */
export interface CodegenOptions extends GenerateOptions {
  /** The directory that the files are written to; the generator must be the only writer. */
  readonly out: string;
}

export const API_KEYS: { readonly [Name in keyof CodegenOptions]-?: Key } = {
  openapi: text,
  schema: {
    takes: (value): value is string | readonly string[] => isText(value) || isTexts(value),
    must: 'a text, or a list of texts',
  },
  out: text,
  accept: texts,
  allowOrigins: { ...texts, option: 'allowOrigin' },
  only: selectors,
  except: selectors,
  lenient: flag,
  formats: choice('assert', 'annotate'),
  values: { ...object, option: 'value' },
  remotes: object,
  document: flag,
  clientTypes: flag,
  standardSchemas: flag,
  tools: flag,
  problems: object,
  importExtension: choice('.js', '.ts'),
  notice: { takes: (value): value is () => void => typeof value === 'function', must: 'a function' },
  resolvers: object,
};

/** Of `record` and `proxy`. */
const passing = {
  url,
  host: text,
  port,
  bodyLimit: count,
  title: text,
  paths: { ...texts, option: 'path' },
  enums: flag,
  examples: flag,
};

/** The sections of commands, by the name of the command. */
export const SECTION_KEYS = {
  mock: section({
    host: text,
    port,
    cors: flag,
    allowHosts: { ...texts, option: 'allowHost' },
    state: flag,
    latency: text,
    fail: text,
    seed,
    save: text,
    admin: flag,
  }),
  verify: section({
    url,
    openapiPath: text,
    graphqlPath: text,
    headers: {
      takes: isRecordOf(
        (value): value is string | FromEnvironment => isText(value) || isFromEnvironment(value),
      ),
      must: "an object of texts and of { env: 'VARIABLE' }",
      option: 'header',
    },
    credentials: {
      takes: isRecordOf(isFromEnvironment),
      must: "an object of { env: 'VARIABLE' }",
      option: 'credential',
    },
    seed: count,
    requests: count,
    seconds: count,
    warn: texts,
    only: selectors,
    except: selectors,
    protect: texts,
  }),
  diff: section({
    base: text,
    for: choice('client', 'server', 'both'),
    failOn: choice('breaking', 'dangerous'),
    stability: section({ draft: notice, alpha: notice, beta: notice, stable: notice }),
  }),
  record: section({ ...passing, out: text }),
  proxy: section({
    ...passing,
    record: text,
    enforce: choice('requests'),
    sample: {
      takes: (value): value is number => typeof value === 'number' && value >= 0 && value <= 1,
      must: 'a number from 0 to 1',
    } satisfies Key<number>,
    usage: text,
    client: text,
    metrics: port,
  }),
  coverage: section({ usage: texts, min: text }),
  docs: section({ port, reports: text }),
};

/** The options of commands. The guide `generate` explains them. */
type CommandSections = Section<typeof SECTION_KEYS>;

export interface ApiConfig extends CodegenOptions, CommandSections {}

/** Several APIs by name. The other options hold for each API that has none of its own. */
interface ApisConfig extends Omit<ApiConfig, 'openapi' | 'schema' | 'out'> {
  readonly apis: Readonly<Record<string, ApiConfig>>;
}

export type ConfigOptions = ApiConfig | ApisConfig;

/** An API of a configuration, with the options that hold for all. */
export interface NamedApi {
  /** Undefined for the only API of a configuration. */
  readonly name?: string;
  readonly own: ApiConfig;
  readonly shared: Omit<ApisConfig, 'apis'>;
}

export function apisOf(options: ConfigOptions): readonly NamedApi[] {
  if (!('apis' in options)) return [{ own: options, shared: {} }];
  const { apis, ...shared } = options;
  return Object.entries(apis).map(([name, own]) => ({ name, own, shared }));
}

/** @throws an Error with a sentence about the first unknown key or wrong value, and about a missing contract */
export function requireKnownKeys(options: unknown): asserts options is ConfigOptions {
  const apis = isObject(options) ? options['apis'] : undefined;
  if (apis === undefined) {
    requireApi('', options);
    return;
  }
  if (!isObject(apis) || Object.keys(apis).length === 0)
    throw new Error('apis must be an object with at least one API, such as { billing: { openapi, out } }');
  const names = Object.entries({ ...API_KEYS, apis: object, ...SECTION_KEYS });
  const { openapi: _, schema: __, out: ___, ...shared } = Object.fromEntries(names);
  requireKeys('', options, shared);
  for (const [name, api] of Object.entries(apis)) requireApi(`apis.${name}`, api);
  const folders = Object.values(apis).map((api) => (api as ApiConfig).out);
  const twice = folders.find((folder, index) => folders.indexOf(folder) !== index);
  if (twice !== undefined) throw new Error(`two of apis have the same out, ${twice}`);
}

function requireApi(at: string, api: unknown): void {
  requireKeys(at, api, { ...API_KEYS, ...SECTION_KEYS });
  const { openapi, schema, out } = api as Partial<ApiConfig>;
  const inside = at === '' ? '' : `${at}: `;
  if (openapi === undefined && schema === undefined)
    throw new Error(`${inside}name an openapi document, a GraphQL schema, or both`);
  if (out === undefined) throw new Error(`${inside}name the folder of the generated files, out`);
}

/** Checks the keys of an object, and of the sections in it. */
function requireKeys(at: string, given: unknown, keys: Keys): void {
  if (!isObject(given)) throw new Error(`${at === '' ? 'the configuration' : at} must be an object`);
  for (const [name, value] of Object.entries(given)) {
    const path = at === '' ? name : `${at}.${name}`;
    const key = Object.hasOwn(keys, name) ? keys[name] : undefined;
    if (key === undefined) throw new Error(unknownName('key', path, name, Object.keys(keys)));
    if (value === undefined) continue;
    if (!key.takes(value)) throw new Error(`${path} must be ${key.must}`);
    if (key.keys !== undefined) requireKeys(path, value, key.keys);
  }
}

/** Says that a name is not known, with the nearest one of those that are. */
export function unknownName(what: string, shown: string, name: string, known: readonly string[]): string {
  const steps = known.map((each) => distance(name.toLowerCase(), each.toLowerCase()));
  const least = Math.min(...steps);
  const nearest = known[steps.indexOf(least)];
  const hint =
    least <= Math.max(2, name.length / 2) ? `do you mean ${String(nearest)}?` : `it has ${known.join(', ')}`;
  return `there is no ${what} ${shown}: ${hint}`;
}

/** The least number of letters to insert, remove or replace (Levenshtein). */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of Array.from(one).entries()) {
    const next = [index + 1];
    for (let place = 0; place < other.length; place += 1) {
      const [left = 0, above = 0, before = 0] = [next[place], row[place + 1], row[place]];
      next.push(Math.min(left + 1, above + 1, before + (letter === other[place] ? 0 : 1)));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
