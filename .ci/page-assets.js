/**
 * Copies the scripts and styles of the service's pages: its own, and those of packages. A server that runs the service installs
 * none of these packages: as dependencies they were more than half of an installation of 222 MB.
 */

import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { packagesOf, readLicences } from './licences.js';

/** The service's own files. */
const OWN = 'src/service/pages/files';

/** The files in packages, by the names that the pages give them. */
const ASSETS = {
  // The same script as that of @scalar/api-reference, in a package with a tenth of its dependencies.
  'api-reference.js': '@scalar/fastify-api-reference/dist/js/standalone.js',
  'graphiql.css': 'graphiql/graphiql.min.css',
  'graphiql.js': 'graphiql/graphiql.min.js',
  'graphql-ws.js': 'graphql-ws/umd/graphql-ws.min.js',
  'react.js': 'react/umd/react.production.min.js',
  'react-dom.js': 'react-dom/umd/react-dom.production.min.js',
};

/** The licences of the packages that are within the script of GraphiQL, which are not installed. */
export const PAGE_LICENCES = '.ci/page-licences.txt';

/** The service's own files that the pages of `concordat docs --serve` have too. */
const SHARED = ['bar.css', 'docs.css', 'docs.js', 'graphiql-page.css', 'graphiql-page.js', 'theme.css'];

/** Bundles the console for browsers, with the client of the contract. @returns the packages whose code is in it */
export async function bundleConsole(outfile) {
  const { metafile } = await build({
    // npm packs in the folder of the package, which esbuild remembers from when it is imported.
    absWorkingDir: join(import.meta.dirname, '..'),
    entryPoints: ['src/service/console/console.ts'],
    outfile,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    conditions: ['@concordat/source'],
    metafile: true,
    logLevel: 'warning',
  });
  return packagesOf(Object.keys(metafile.inputs));
}

/**
 * @param folder - is replaced
 * @returns the names of the packages whose code is in the assets, and the licences of those that are not installed
 */
export async function copyPageAssets(folder) {
  rmSync(folder, { recursive: true, force: true });
  cpSync(OWN, folder, { recursive: true });
  const { names, licences } = copyOfPackages(folder);
  return { names: [...(await bundleConsole(join(folder, 'console.js'))), ...names], licences };
}

/** The same for the pages of a project, which are the API reference and GraphiQL. */
export function copyProjectAssets(folder) {
  rmSync(folder, { recursive: true, force: true });
  for (const name of SHARED) cpSync(join(OWN, name), join(folder, name));
  return copyOfPackages(folder);
}

function copyOfPackages(folder) {
  const names = [];
  for (const [name, file] of Object.entries(ASSETS)) {
    const path = join('node_modules', file);
    cpSync(path, join(folder, name));
    names.push(...packagesOf([path]));
  }
  const within = readLicences(PAGE_LICENCES);
  const { version } = JSON.parse(readFileSync('node_modules/graphiql/package.json', 'utf8'));
  if (!within.get('graphiql')?.startsWith(`graphiql ${version}:`))
    throw new Error(`${PAGE_LICENCES} is not of graphiql ${version}: run \`node .ci/page-licences.js\``);
  return { names: [...names, ...within.keys()], licences: within };
}

/** The installed packages whose code is in a script, by its source map. GraphiQL's names some eighty. */
export function packagesWithin(script, modules) {
  const { sources } = JSON.parse(readFileSync(`${script}.map`, 'utf8'));
  // In its repository the package @graphiql/react is the folder graphiql-react.
  const siblings = sources.map((source) =>
    source.replace(
      /^(?:\.\.\/)+(?!node_modules\/)([\w-]+)\//,
      (_, folder) => `node_modules/${folder.replace(/^graphiql-/, '@graphiql/')}/`,
    ),
  );
  return packagesOf(siblings).filter((name) => existsSync(join(modules, name, 'package.json')));
}
