/** The manifests of the repository: of its root and of its five packages, as the tests of the packages read them. */

import { readFileSync } from 'node:fs';
import { ROOT } from '../architecture/source-tree.js';

export type Versions = Readonly<Record<string, string>>;

/** Where an entry point leads, by condition. The first is for the development of these packages, and is not published. */
export interface Target {
  readonly '@concordat/source': string;
  readonly types: string;
  readonly default: string;
}

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly repository: { readonly type: string; readonly url: string; readonly directory: string };
  readonly publishConfig: Readonly<Record<string, unknown>>;
  readonly engines: { readonly node: string };
  readonly bin?: Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | Target>>;
  readonly dependencies?: Versions;
  readonly optionalDependencies?: Versions;
  readonly peerDependencies?: Versions;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** One of the five packages. */
export interface Package {
  /** Its folder from the root of the repository: `src/core`. */
  readonly folder: string;
  readonly manifest: Manifest;
}

/** The manifest of the root, which is not published. */
export interface RootManifest {
  readonly engines: { readonly node: string };
  readonly scripts: Readonly<Record<string, string>>;
  readonly devDependencies: Versions;
  readonly overrides?: Versions;
  readonly allowScripts: Readonly<Record<string, boolean>>;
}

/** The packages that `npm ci` installs, by their place under the root; the root itself is `''`. */
export interface Lock {
  readonly packages: Readonly<
    Record<
      string,
      {
        readonly version?: string;
        readonly link?: boolean;
        readonly os?: readonly string[];
        readonly cpu?: readonly string[];
        readonly engines?: { readonly node?: string };
        readonly hasInstallScript?: boolean;
        readonly dependencies?: Versions;
        readonly peerDependencies?: Versions;
      }
    >
  >;
}

export const rootManifest = readJson('package.json') as RootManifest;
export const lock = readJson('package-lock.json') as Lock;

/** In the order in which they import each other. */
export const packages: readonly Package[] = [
  'src/runtime',
  'src/codegen',
  'src/tools',
  'src/core',
  'src/service',
].map((folder) => ({ folder, manifest: readJson(`${folder}/package.json`) as Manifest }));

/** @returns the package of a name; undefined where it is not one of the five */
export function ownPackage(name: string): Package | undefined {
  return packages.find(({ manifest }) => manifest.name === name);
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(ROOT + file, 'utf8'));
}
