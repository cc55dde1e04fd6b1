/** The options in `codegen.ts`: of one API or of several, for the generator and for the other commands. */

import type { GenerateOptions } from './generate.js';

/** The contracts of an API, and the options of the generator. */
export interface CodegenOptions extends GenerateOptions {
  /** The directory that the files are written to; the generator must be the only writer. */
  readonly out: string;
}

/** A value that is read from an environment variable when a command runs: `{ env: 'API_TOKEN' }`. */
export interface FromEnvironment {
  readonly env: string;
}

/** The options of commands. The guide `configuration` lists them. */
export interface CommandSections {
  readonly mock?: { readonly host?: string; readonly port?: number; readonly cors?: boolean };
  readonly verify?: {
    /** The address of the server, to which the paths of the document are added. */
    readonly url?: string;
    readonly graphqlPath?: string;
    readonly headers?: Readonly<Record<string, string | FromEnvironment>>;
    /** By the name of the security scheme. */
    readonly credentials?: Readonly<Record<string, FromEnvironment>>;
    readonly seed?: number;
    /** The most requests of a run. */
    readonly requests?: number;
    /** The most seconds of a run. */
    readonly seconds?: number;
    /** Rules whose violations are only warnings: `rule`, or `rule at operationId`. */
    readonly warn?: readonly string[];
    /** The operations that get requests; of a schema, such as `operation:Query.users`. */
    readonly only?: readonly string[];
    readonly except?: readonly string[];
    readonly protect?: readonly string[];
  };
  readonly diff?: {
    /** The version that the contracts are compared with: a git revision, a folder, or a file. */
    readonly base?: string;
    readonly for?: 'client' | 'server' | 'both';
    readonly failOn?: 'breaking' | 'dangerous';
    /**
     * When operations may break, by their `x-stability`: days after they were deprecated with a sunset, 0 for at any time, or never. Default:
     * `{ draft: 0, alpha: 0, beta: 30, stable: 'never' }`.
     */
    readonly stability?: Readonly<Partial<Record<'draft' | 'alpha' | 'beta' | 'stable', number | 'never'>>>;
  };
  readonly record?: {
    readonly url?: string;
    /** The document; `openapi` of the API unless given. */
    readonly out?: string;
    readonly host?: string;
    readonly port?: number;
    readonly title?: string;
    readonly paths?: readonly string[];
    readonly bodyLimit?: number;
    readonly enums?: boolean;
    readonly examples?: boolean;
  };
  readonly coverage?: {
    /** Files of usage, or folders with such files. */
    readonly usage?: readonly string[];
    /** The lowest percentages: `operations=100,statuses=80`. */
    readonly min?: string;
  };
  readonly docs?: { readonly port?: number };
}

export interface ApiConfig extends CodegenOptions, CommandSections {}

/** Several APIs by name. The other options hold for each API that has none of its own. */
export interface ApisConfig extends Omit<ApiConfig, 'openapi' | 'schema' | 'out'> {
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
