/**
 * Lists every package that the five packages of this repository bring, from package-lock.json, in .github/DEPENDENCIES.md, after those that are
 * held back.
 * With `--check` it writes nothing, and fails when the list is not up to date.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const FILE = new URL('../.github/DEPENDENCIES.md', import.meta.url);
const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));
const own = ['runtime', 'codegen', 'tools', 'core', 'service'].map((folder) => `src/${folder}`);

/** Packages that are not at their current version, with the version that is used, and the reason. */
const HELD_BACK = {
  '@graphql-tools/merge': [
    '9.2.2',
    'Later ones are on another `@graphql-tools/utils` than `@graphql-codegen`, which would be there twice. `overrides` holds the whole family at one version here.',
  ],
  '@graphql-tools/relay-operation-optimizer': ['7.1.8', 'As `@graphql-tools/merge`.'],
  '@graphql-tools/schema': ['10.0.38', 'As `@graphql-tools/merge`; 11 needs Node 22.'],
  '@opentelemetry/api': ['1.9.0', 'The SDK 2 takes no later one, and the SDK 3 needs Node 22.'],
  '@photostructure/sqlite': ['1.2.1', '2 needs Node 22.'],
  '@scalar/fastify-api-reference': [
    '1.46.4',
    'Those up to 1.66 need Node 22. Later ones have no script for pages, which is all that is used: the package that has it needs Node 22.',
  ],
  '@types/node': ['20.19.43', 'What Node 20 does not have must not compile.'],
  graphiql: [
    '4.1.2',
    '5 has no script for pages. Bundled with React 19 and Monaco, without its workers, it has 6.9 MB in place of 1.6.',
  ],
  kysely: ['0.28.19', '0.29 needs Node 22.'],
  react: ['18.3.1', '19 has no script for pages, which is all that is used.'],
  'react-dom': ['18.3.1', 'As `react`.'],
  typescript: [
    '5.9.3',
    '7 has no API for programs, by which types are generated. This repository compiles with it.',
  ],
};
for (const [name, [version]] of Object.entries(HELD_BACK)) {
  if (packages[`node_modules/${name}`].version !== version)
    throw new Error(
      `${name} is not at ${version} any more: correct what is held back in .ci/dependencies.js`,
    );
}

/** Where Node finds a package from the folder of another. */
function locate(name, from) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const place =
      folder === '' || folder.startsWith('src/') ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    const local = folder.startsWith('src/') ? `${folder}/node_modules/${name}` : place;
    if (packages[local] !== undefined) return packages[local].link ? packages[local].resolved : local;
    if (packages[place] !== undefined) return packages[place].link ? packages[place].resolved : place;
    if (folder === '') return undefined;
  }
}

/** All that a package brings with it: its dependencies, and those of theirs; optional ones where they are in the lock file. */
function broughtBy(folder) {
  const brought = new Set([folder]);
  for (const place of brought) {
    const {
      dependencies = {},
      optionalDependencies = {},
      peerDependencies = {},
      peerDependenciesMeta = {},
    } = packages[place];
    const peers = Object.keys(peerDependencies).filter(
      (name) => peerDependenciesMeta[name]?.optional !== true,
    );
    for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) {
      const found = locate(name, place);
      if (found !== undefined) brought.add(found);
    }
  }
  return [...brought].filter((place) => !place.startsWith('src/') || place.includes('/node_modules/'));
}

const users = new Map();
for (const folder of own) {
  for (const place of broughtBy(folder))
    users.set(place, [...(users.get(place) ?? []), packages[folder].name]);
}
const rows = [...users]
  .map(([place, names]) => {
    const { version, license = 'not stated', hasInstallScript } = packages[place];
    const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
    return { name, version, license, script: hasInstallScript ? 'yes' : '', names: names.join(', ') };
  })
  .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.version < b.version ? -1 : 1))
  .map((row) => `| ${Object.values(row).join(' | ')} |`);
const counts = own.map((folder) => `${packages[folder].name} ${broughtBy(folder).length}`).join(', ');
const text = `# Dependencies

Every package that an installation brings, as package-lock.json has it: ${counts}. Written by \`node .ci/dependencies.js\`.

The one install script is not needed: \`npm install --ignore-scripts\` gives a working installation.

graphql is 17.1.0 here, which promises to run on Node 22 and later. The packages take 16 as well, which npm chooses on Node 20, without a warning;
\`npm run test:nodes\` tests it. The program of the service has 17 within it, which the same tests ask on every Node. All other packages here promise to run on
Node 20.

## Held back

| Package | Version | Why not a later one |
| --- | --- | --- |
${Object.entries(HELD_BACK)
  .map(([name, [version, reason]]) => `| ${name} | ${version} | ${reason} |`)
  .join('\n')}

## Not installed

GraphiQL and Scalar's API reference are here for one script each, which has the code of their dependencies within it. \`overrides\` puts \`ms\`, which is
small, in the place of those that bring most: a hundred packages that nothing would load. Their licences are in \`.ci/page-licences.txt\`, which
\`node .ci/page-licences.js\` writes for the version of GraphiQL. ESLint has a folder of its own, as Spector and the servers of the benchmarks have, and the one test that
uses it installs it: \`test/codegen/cli/linters\`.

## All packages

| Package | Version | Licence | Install script | Brought by |
| --- | --- | --- | --- | --- |
${[...new Set(rows)].join('\n')}
`;
if (process.argv[2] !== '--check') writeFileSync(FILE, text);
else if (readFileSync(FILE, 'utf8') !== text) {
  process.stderr.write('.github/DEPENDENCIES.md is not up to date: run `node .ci/dependencies.js`\n');
  process.exitCode = 1;
}
