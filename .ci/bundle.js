/**
 * Writes the JavaScript of packages, whose folders from the root are the arguments: a file per entry point, and chunks for what they share.
 * `--into <directory>` writes below another root than this one.
 * TypeScript writes only the declarations. Node takes as long to find and read a file as to run most of ours, so the service
 * would need a third more time to start from a file per source.
 */

import { mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { packagesOf, writeLicences } from './licences.js';
import { copyPageAssets, copyProjectAssets } from './page-assets.js';
import { typescriptParts } from './typescript-parts.js';

/**
 * What is bundled of packages: of Kysely's 264 files, which alone would take another third, the stores need a part; the linter's 500 take a
 * quarter of the time of a small `generate`; and what the programs share is no part of a published entry point. With a package comes all
 * that it imports. Everything else is imported from where it is installed.
 */
const BUNDLED = new Set([
  'kysely',
  '@redocly/openapi-core',
  '@concordat/runtime/terminal',
  'concordat/options',
]);

/** The entry point that uses the Kysely of the application. */
const TEAMS_KYSELY = join('src', 'core', 'kysely.ts');

/**
 * What the program of the service has within it beside: all that it loads before its first answer, which takes three quarters of the CPU time
 * so, and GraphQL, whose packages have more files than a process with a low limit may open: Node opens all imports of a module at once. What
 * else it loads later is imported from where it is installed, and an application imports everything from there.
 */
const IN_PROGRAM = new Set([
  ...['@koa/router', 'fast-xml-builder', 'helmet', 'koa', 'pino'],
  ...['@graphql-tools/schema', 'graphql', 'graphql-ws', 'ws'],
]);
const OURS_IN_PROGRAM = /^@concordat\/(?:core|runtime)(?:\/|$)/;

/** Leaves imports of packages as they are, those of this repository included, but for those that a function chooses. */
const installedPackages = (isChosen) => ({
  name: 'installed packages',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^[^./]/ }, ({ path, kind, importer }) => {
      const isInside = importer.includes('node_modules/');
      if (path === 'graphql' && importer.includes('node_modules/@redocly/'))
        return { path, namespace: 'absent' };
      const isBundled = isChosen(path) && !importer.endsWith(TEAMS_KYSELY);
      return kind === 'entry-point' || isBundled || isInside ? undefined : { path, external: true };
    });
    onLoad({ filter: /./, namespace: 'absent' }, () => ({ contents: ABSENT }));
    // Some packages refer to maps whose sources they do not publish.
    onLoad({ filter: /node_modules\/.*\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(/^\/\/# sourceMappingURL=.*/m, ''),
      loader: 'js',
    }));
  },
});

/** The contract finds its files beside its own package. */
const contractFiles = {
  name: 'files of the contract',
  setup({ onLoad }) {
    onLoad({ filter: /src\/core\/contract\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll(
        'import.meta.url',
        `import.meta.resolve('@concordat/core/contract')`,
      ),
      loader: 'ts',
    }));
  },
};

/** Tables of packages, such as the media types that Koa knows twice, in 400 kB: `JSON.parse` reads them in half of the time of a literal. */
const tables = {
  name: 'tables',
  setup({ onLoad }) {
    onLoad({ filter: /node_modules\/.*\.json$/ }, ({ path }) => ({
      contents: `module.exports = JSON.parse(${JSON.stringify(JSON.stringify(JSON.parse(readFileSync(path, 'utf8'))))});`,
    }));
  },
};

/** What the linter imports for linting GraphQL schemas, which nothing here does. */
const ABSENT = [
  ...['GraphQLError', 'Source', 'buildASTSchema', 'getLocation'],
  ...['parse', 'validateSchema', 'visit', 'visitInParallel'],
]
  .map((name) => `export function ${name}() { throw new Error('GraphQL schemas are not linted'); }\n`)
  .join('');

/**
 * CommonJS packages of the generator that are required, not imported, with what is required of them. To import TypeScript's 9 MB, Node also
 * reads them for the format and for the names of exports, which takes two thirds of the time of `import`. Only what needs the compiler does so. The parts of openapi-typescript that
 * write types are bundled: installed, it would bring 30 packages for its program and for a bundler of documents, which nothing here uses.
 */
const REQUIRED = new Map([
  ['typescript', `require('typescript')`],
  [
    'openapi-typescript',
    `{
  ...require('openapi-typescript/dist/lib/ts.cjs'),
  ...require('openapi-typescript/dist/lib/utils.cjs'),
  transformPathItemObject: require('openapi-typescript/dist/transform/path-item-object.cjs'),
  transformSchema: require('openapi-typescript/dist/transform/index.cjs'),
  transformSchemaObject: require('openapi-typescript/dist/transform/schema-object.cjs').default,
}`,
  ],
]);

/** What reads the settings of projects and checks their types, for which it needs all of TypeScript. */
const USES_COMPILER = /src\/codegen\/(?:init|bridge)\//;

/** A source map without the source, which would be half of the package. */
const NO_SOURCE = `\n//# sourceMappingURL=data:application/json,${encodeURIComponent(
  JSON.stringify({ version: 3, sources: ['typescript.js'], sourcesContent: [''], mappings: 'AAAA' }),
)}`;

/** All that openapi-typescript uses of its version of the linter, which the present version has under another name. */
const POINTERS = '@redocly/openapi-core/lib/ref-utils.js';
const requiredPackages = {
  name: 'required packages',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^[^./]/ }, ({ path, namespace, importer }) => {
      if (path === 'typescript' && namespace === 'file' && !USES_COMPILER.test(importer))
        return { path, namespace: 'parts' };
      if (path === POINTERS && namespace === 'file') return { path, namespace: 'pointers' };
      if (path === POINTERS || path.startsWith('openapi-typescript/'))
        return { path: join(root, 'node_modules', path) };
      if (namespace === 'required') return { path, external: true };
      return REQUIRED.has(path) ? { path, namespace: 'required' } : undefined;
    });
    onLoad({ filter: /./, namespace: 'required' }, ({ path }) => ({
      contents: `module.exports = ${REQUIRED.get(path)};`,
    }));
    onLoad({ filter: /./, namespace: 'parts' }, async () => ({
      contents: (await typescriptParts()) + NO_SOURCE,
    }));
    onLoad({ filter: /./, namespace: 'pointers' }, () => ({
      contents: `export { parseRef, escapePointerFragment as escapePointer } from '${POINTERS}';`,
    }));
  },
};
const DEFINES_REQUIRE = `import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);`;

// npm runs the scripts of a package in its folder, which esbuild remembers from when it is imported.
const root = join(import.meta.dirname, '..');
process.chdir(root);
const { values, positionals } = parseArgs({
  options: { into: { type: 'string', default: root } },
  allowPositionals: true,
});
for (const folder of positionals) await bundle(folder);

async function bundle(folder) {
  const { name, exports, bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const published = Object.values(exports).filter((target) => target.default !== undefined);
  const sources = published.map((target) => target['@concordat/source']);
  // A program in `bin/` imports this file.
  const isService = name === '@concordat/service';
  if (bin !== undefined && !isService) sources.push('cli/main.ts');
  // The core is compiled with the contract, which lies outside of its folder.
  const isCore = name === '@concordat/core';
  const isGenerator = name === 'concordat';
  const dist = join(values.into, folder, 'dist');
  mkdirSync(dist, { recursive: true });
  // The name of a chunk has a hash of its content, so older ones would remain.
  for (const file of readdirSync(dist, { recursive: true })) {
    if (/\.js(?:\.map)?$/.test(file)) rmSync(join(dist, file));
  }
  const options = {
    metafile: true,
    absWorkingDir: root,
    outbase: isCore ? '.' : folder,
    outdir: dist,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['@concordat/source'],
    logLevel: 'warning',
  };
  const { metafile } = await build({
    ...options,
    entryPoints: sources.map((source) => join(folder, source)),
    // As deep as the entry points: a module finds files beside its package by its own place.
    chunkNames: isCore ? 'src/core/[name]-[hash]' : '[name]-[hash]',
    sourcemap: true,
    ...(isGenerator && { banner: { js: DEFINES_REQUIRE } }),
    plugins: [...(isGenerator ? [requiredPackages] : []), installedPackages((path) => BUNDLED.has(path))],
  });
  const inputs = Object.keys(metafile.inputs);
  if (isService) inputs.push(...(await bundleProgram(join(folder, 'cli/main.ts'), options)));
  if (isGenerator) inputs.push('node_modules/typescript');
  const { names, licences } = await copyOthers(name, dist);
  writeLicences(join(dist, 'LICENSES.txt'), [...packagesOf(inputs), ...names], licences);
}

/**
 * Writes a program with what it loads at its start, without source maps: they would be half of the package. It has no comments and short lines:
 * a twentieth less CPU time, and stacks still name functions and places. @returns the files that are in it
 */
async function bundleProgram(source, options) {
  const isChosen = (path) => BUNDLED.has(path) || IN_PROGRAM.has(path) || OURS_IN_PROGRAM.test(path);
  const { metafile } = await build({
    ...options,
    entryPoints: [source],
    chunkNames: 'cli/[name]-[hash]',
    banner: { js: DEFINES_REQUIRE },
    // For the modules of graphql, in place of its scripts for Node.
    conditions: [...options.conditions, 'module'],
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 150,
    plugins: [contractFiles, tables, installedPackages(isChosen)],
  });
  return Object.keys(metafile.inputs);
}

/** Copies what is not bundled. @returns the names of the packages that it is of, and the licences of those that are not installed */
async function copyOthers(name, dist) {
  if (name === 'concordat') return copyProjectAssets(join(dist, 'assets'));
  return name === '@concordat/service' ? await copyPageAssets(join(dist, 'assets')) : { names: [] };
}
