/** The `package.json` of a project: existing entries are kept, and missing ones are added for its contracts and its server. */

import { isDeepStrictEqual } from 'node:util';
import { CommandFailure } from '@concordat/runtime/terminal';
import type { Template } from './project.js';

type Manifest = Readonly<Record<string, unknown>>;

/** The versions that new projects start with; packages of this repository get the version of this package. */
const VERSIONS: Readonly<Record<string, string>> = {
  // @graphql-tools/schema would bring a later version, which needs Node 22.15.
  '@graphql-tools/merge': '9.2.2',
  '@graphql-tools/schema': '~10.0.38',
  '@hono/node-server': '^2.1.8',
  '@koa/router': '^15.7.0',
  '@types/express': '^5.0.6',
  '@types/koa': '^3.0.3',
  '@types/node': '^20.19.43',
  express: '^5.3.0',
  fastify: '^5.12.8',
  // npm takes 16 where Node is too old for 17.
  graphql: '^16.15.0 || ^17.1.0',
  'graphql-ws': '^6.4.2',
  hono: '^4.13.19',
  koa: '^3.3.0',
  // Fastify would bring a later version, which needs Node 22.
  'light-my-request': '6.6.0',
  tsx: '^4.23.15',
  typescript: '~5.9.3',
  ws: '^8.23.0',
};

/** The scripts of a new project. */
const SCRIPTS: Readonly<Record<string, string>> = {
  generate: 'concordat generate',
  dev: 'tsx watch src/server.ts',
  build: 'tsc -p tsconfig.build.json',
  start: 'node dist/src/server.js',
  pretest: 'concordat check && tsc --noEmit',
  test: 'node --import tsx --test test/*.test.ts',
};

interface Needs {
  /** The version of the packages of this repository. */
  readonly version: string;
  /** The specifiers of packed packages of this repository, by name, which take the place of a version from a registry. */
  readonly packed?: Readonly<Record<string, string>> | undefined;
  readonly dependencies: readonly string[];
  readonly devDependencies: readonly string[];
}

/**
 * Adds missing entries to the manifest of a project.
 *
 * @param text - the manifest; undefined if there is none
 * @param name - the name for a project without a manifest
 * @returns undefined if nothing is missing
 * @throws CommandFailure when the manifest is not a JSON object
 */
export function mergeManifest(text: string | undefined, name: string, needs: Needs): string | undefined {
  const { version, packed = {}, dependencies, devDependencies } = needs;
  const own: Manifest = text === undefined ? { name, private: true, type: 'module' } : parsed(text);
  const isListed = (each: string) => SECTIONS.some((section) => each in record(own[section]));
  const sorted = (names: readonly string[]) => names.filter((each) => !isListed(each)).toSorted();
  const versions = (names: readonly string[]) =>
    Object.fromEntries(sorted(names).map((each) => [each, packed[each] ?? VERSIONS[each] ?? `^${version}`]));
  const kept = (section: string) => {
    const ranges = Object.entries(record(own[section]));
    return Object.fromEntries(ranges.map(([each, range]) => [each, packed[each] ?? range]));
  };
  const merged: Manifest = {
    ...own,
    scripts: { ...SCRIPTS, ...withoutPlaceholder(record(own['scripts'])) },
    dependencies: { ...kept('dependencies'), ...versions(['@concordat/runtime', ...dependencies]) },
    devDependencies: {
      ...kept('devDependencies'),
      ...versions(['concordat', '@concordat/tools', '@types/node', 'tsx', 'typescript', ...devDependencies]),
    },
  };
  // Compared as data, because the team chooses the indentation.
  if (text !== undefined && isDeepStrictEqual(own, merged)) return undefined;
  const indent = /^([ \t]+)"/m.exec(text ?? '')?.[1] ?? '  ';
  return `${JSON.stringify(merged, undefined, indent)}\n`;
}

const SECTIONS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];

function parsed(text: string): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    throw new CommandFailure('package.json is not JSON');
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw new CommandFailure('package.json is not a JSON object');
}

/** Whether Node takes the files of the project for CommonJS, as it does unless the manifest says otherwise. */
export function isCommonJs(text: string | undefined): boolean {
  return text !== undefined && parsed(text)['type'] !== 'module';
}

/** `npm init` writes a script `test` that only fails. */
function withoutPlaceholder(scripts: Manifest): Manifest {
  const { test, ...others } = scripts;
  const isPlaceholder = typeof test === 'string' && test.includes('no test specified');
  return isPlaceholder || test === undefined ? others : scripts;
}

function record(value: unknown): Manifest {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

export const HOSTS = ['koa', 'node', 'express', 'fastify', 'hono'] as const;

export type Host = (typeof HOSTS)[number];

/** The contracts that a server serves. */
export interface Served {
  readonly rest: boolean;
  readonly graphql: boolean;
  /** Whether the schema has subscriptions, which are served over WebSocket too. */
  readonly subscriptions: boolean;
}

type HostPackages = Pick<Needs, 'dependencies' | 'devDependencies'>;

const PACKAGES: Readonly<Record<Host, HostPackages>> = {
  koa: { dependencies: ['koa', '@koa/router'], devDependencies: ['@types/koa'] },
  node: { dependencies: [], devDependencies: [] },
  express: { dependencies: ['express'], devDependencies: ['@types/express'] },
  fastify: { dependencies: ['fastify', 'light-my-request'], devDependencies: [] },
  hono: { dependencies: ['hono', '@hono/node-server'], devDependencies: [] },
};

/** The packages that a project installs for its server. */
export function packagesOf(host: Host, { graphql, subscriptions }: Served): HostPackages {
  const { dependencies, devDependencies } = PACKAGES[host];
  const ofSchema = graphql ? ['graphql', '@graphql-tools/merge', '@graphql-tools/schema'] : [];
  const ofSockets = subscriptions ? ['graphql-ws', 'ws'] : [];
  return { dependencies: [...dependencies, ...ofSchema, ...ofSockets], devDependencies };
}

/** @param prefix - the path at which the REST contract is served: `/v1`, or an empty text */
export function serverTemplate(
  host: Host,
  { rest, graphql, subscriptions }: Served,
  prefix: string,
): Template {
  const values = {
    REST: rest,
    PREFIX: rest && prefix !== '' && prefix,
    PLAIN: rest && prefix === '',
    GRAPHQL: graphql,
    BOTH: rest && graphql,
    SUBSCRIPTIONS: subscriptions,
  };
  return { file: `servers/${host}.ts`, values };
}
