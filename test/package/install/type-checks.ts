/** Type-checks and loads every entry point in a project that has only what it needs beside it, as ESM and by `require`. */

import { join } from 'node:path';
import { entryPointsOf, neededBeside } from '../entry-points.js';
import { ownPackage, packages } from '../packages.js';
import type { Check } from './checks.js';
import type { Project } from './project.js';
import { type Workshop, projectWith } from './readme-installs.js';
import { compilers, quiet } from './tools.js';

/** Packages whose types are packages of their own. */
const TYPES: Readonly<Record<string, string>> = { koa: '@types/koa', pg: '@types/pg', ws: '@types/ws' };

/** Older versions that a project may have of what is needed. */
const OLDER: Readonly<Record<string, readonly string[]>> = {
  koa: ['koa@2', '@types/koa@2'],
  graphql: ['graphql@16'],
};

/** Entry points of a package that need the same beside it. */
interface Group {
  readonly name: string;
  readonly specifiers: readonly string[];
  readonly beside: readonly string[];
}

function groups(): readonly Group[] {
  return packages.flatMap((each) => {
    const needs = entryPointsOf(each).map((entryPoint) => neededBeside(entryPoint));
    const distinct = new Map(needs.map((beside) => [beside.join(' '), beside]));
    return [...distinct].map(([key, beside]) => ({
      name: each.manifest.name,
      specifiers: entryPointsOf(each)
        .filter((_, index) => needs[index]?.join(' ') === key)
        .map(({ specifier }) => specifier),
      beside,
    }));
  });
}

/** One check per group, and one per package of all its entry points beside the older versions; one per package when it is to be quick. */
export function typeChecks(workshop: Workshop, isQuick: boolean): readonly Check[] {
  const all = groups();
  return packages.flatMap(({ manifest: { name } }) => {
    const own = all.filter((group) => group.name === name);
    const beside = [...new Set(own.flatMap((group) => group.beside))];
    const older = beside.flatMap((each) => OLDER[each] ?? []);
    const everything = { name, specifiers: own.flatMap(({ specifiers }) => specifiers), beside };
    if (isQuick) return [checkOf(workshop, everything, older)];
    return [
      ...own.map((group) => checkOf(workshop, group, [])),
      ...(older.length > 0 ? [checkOf(workshop, everything, older)] : []),
    ];
  });
}

function checkOf(workshop: Workshop, group: Group, versions: readonly string[]): Check {
  const { name, specifiers, beside } = group;
  const [first = ''] = specifiers;
  const what = specifiers.length === 1 ? first : `${String(specifiers.length)} entry points of ${name}`;
  const needs = beside.map((each) => versions.find((spec) => spec.startsWith(`${each}@`)) ?? each);
  return {
    title: `${what} with ${needs.length > 0 ? needs.join(', ') : 'nothing else'}`,
    run: () => checkGroup(workshop, group, versions),
  };
}

async function checkGroup(workshop: Workshop, group: Group, versions: readonly string[]): Promise<void> {
  const { name, specifiers, beside } = group;
  // A package of ours is installed from its tarball too.
  const project = projectWith(workshop, [name, ...beside]);
  const peers = Object.keys(ownPackage(name)?.manifest.peerDependencies ?? {});
  const wanted = [
    '@types/node@20',
    ...beside,
    ...new Set([
      ...beside.flatMap((each) => TYPES[each] ?? []),
      ...peers.filter((peer) => peer.startsWith('@types/')),
    ]),
  ];
  const specs = wanted.map(
    (each) => workshop.tarballs.get(each) ?? versions.find((spec) => spec.startsWith(`${each}@`)) ?? each,
  );
  const tarball = workshop.tarballs.get(name) ?? name;
  await project.succeeds(workshop.tool('npm11'), ['install', ...quiet, tarball, ...specs]);
  project.write(
    'esm.mts',
    specifiers.map((each, i) => `export * as _${String(i)} from '${each}';`).join('\n'),
  );
  project.write(
    'cjs.cts',
    specifiers.map((each, i) => `export import _${String(i)} = require('${each}');`).join('\n'),
  );
  for (const compiler of compilers) {
    // TypeScript knows since 5.8 that Node's `require` takes modules.
    const files = compiler === 'typescript-5.5' ? ['esm.mts'] : ['esm.mts', 'cjs.cts'];
    project.write('tsconfig.json', JSON.stringify({ compilerOptions, files }));
    const { status, text } = await project.node(workshop.tool(compiler), ['-p', 'tsconfig.json']);
    if (status !== 0) throw new Error(`${compiler}:\n${text.slice(0, 3000)}`);
  }
  await load(
    project,
    'load.mjs',
    specifiers.map((each) => `await import('${each}');`),
  );
  await load(
    project,
    'load.cjs',
    specifiers.map((each) => `require('${each}');`),
  );
}

const compilerOptions = {
  module: 'nodenext',
  target: 'es2022',
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  noEmit: true,
  types: ['node'],
};

async function load(project: Project, file: string, lines: readonly string[]): Promise<void> {
  project.write(file, lines.join('\n'));
  await project.succeeds(join(project.directory, file), []);
}
