/** What each package says of itself in its `package.json`, compared with its sources and with what npm would publish. */

import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import semver from 'semver';
import { ROOT } from '../architecture/source-tree.js';
import {
  declarationsBehind,
  entryPointsOf,
  isPublished,
  packagesImportedBy,
  peersBehind,
  sourcesOf,
} from './entry-points.js';
import { packedFiles } from './packed-files.js';
import { lock, ownPackage, packages } from './packages.js';
import { pages } from './pages.js';

/** Packages that are named by less than their name where the sources load them. */
const SHORT_NAMES: Readonly<Record<string, string>> = { '@graphql-codegen/typescript': 'typescript' };

/** Packages whose code is published in the package that imports them, with their licence. */
const BUNDLED: ReadonlySet<string> = new Set(['kysely', '@redocly/openapi-core', 'openapi-typescript']);

/**
 * Packages of packages, which the sources need not import, and whose later versions need `@whatwg-node/promise-helpers` 2 and so Node 22.15. A user's installation has no
 * `overrides` of ours, so the packages that we publish name the last versions that run on every Node of `engines`.
 */
const HELD_BACK: ReadonlySet<string> = new Set([
  '@graphql-tools/merge',
  '@graphql-tools/relay-operation-optimizer',
  '@graphql-tools/schema',
]);

/** The files of a package that are copied, and not compiled. */
const COPIED: Readonly<Record<string, readonly RegExp[]>> = {
  concordat: [/^init\/templates\//, /^dist\/(?:assets\/[\w-]+\.(?:js|css)|LICENSES\.txt)$/],
  '@concordat/core': [
    /^dist\/(?:generated\/.*\.d\.ts|openapi\.yaml|schema\.graphql|LICENSES\.txt|openapi\.json(?:\.br)?)$/,
  ],
  '@concordat/service': [/^dist\/(?:assets\/[\w-]+\.(?:js|css)|LICENSES\.txt)$/],
};

for (const each of packages) {
  const { folder, manifest } = each;
  const { name, peerDependencies = {}, peerDependenciesMeta = {} } = manifest;
  const dependencies = { ...manifest.dependencies, ...manifest.optionalDependencies };

  describe(`package ${name}: entry points`, () => {
    it('are named one by one, without wildcards', () => {
      expect(manifest.exports).to.include.keys('.', './package.json');
      expect(JSON.stringify(manifest.exports)).not.to.include('*');
    });

    for (const [subpath, target] of Object.entries(manifest.exports)) {
      if (typeof target === 'string' || !isPublished(target)) continue;
      it(`${subpath} leads to a source file, and to the files that it is compiled to`, () => {
        expect(Object.keys(target)).to.deep.equal(['@concordat/source', 'types', 'default']);
        const source = target['@concordat/source'];
        expect(existsSync(join(ROOT, folder, source)), source).to.equal(true);
        const compiled = /^\.\/dist\/(?:src\/core\/)?(.*)\.js$/.exec(target.default)?.[1];
        expect(source).to.equal(`./${String(compiled)}.ts`);
        expect(target.types).to.equal(target.default.replace(/js$/, 'd.ts'));
      });
    }
  });

  describe(`package ${name}: dependencies`, () => {
    // The program of the service has the core within it, and imports what the core imports.
    const within =
      name === '@concordat/service' ? packages.filter((one) => one.manifest.name === '@concordat/core') : [];
    const sources = [each, ...within].flatMap(sourcesOf);
    const imported = new Set(sources.flatMap(packagesImportedBy));
    imported.delete(name);

    it('are all that the sources import', () => {
      const declared = { ...dependencies, ...peerDependencies };
      const missing = [...imported].filter((needed) => !(needed in declared) && !BUNDLED.has(needed));
      expect(missing).to.deep.equal([]);
    });

    it('are no more than the sources import or name, with their types, or than its entry points need', () => {
      const texts = sources.map((file) => readFileSync(ROOT + file, 'utf8'));
      const isNamed = (needed: string) =>
        texts.some((text) => text.includes(`'${SHORT_NAMES[needed] ?? needed}'`));
      const peers = new Set(entryPointsOf(each).flatMap(peersBehind));
      const unused = Object.keys(dependencies).filter(
        (needed) =>
          !imported.has(needed.replace('@types/', '')) &&
          !isNamed(needed) &&
          !peers.has(needed) &&
          !HELD_BACK.has(needed),
      );
      expect(unused).to.deep.equal([]);
      // The tools depend on the program that loads them, so it knows them by name alone.
      const unusedPeers = Object.keys(peerDependencies).filter(
        (needed) => !imported.has(needed.replace('@types/', '')) && !isNamed(needed),
      );
      expect(unusedPeers).to.deep.equal([]);
    });

    it('hold back only what another package brings', () => {
      const brought = new Set(
        Object.entries(lock.packages)
          .filter(([place]) => place.includes('node_modules/'))
          .flatMap(([, each]) => Object.keys(each.dependencies ?? {})),
      );
      expect(Object.keys(dependencies).filter((each) => HELD_BACK.has(each) && !brought.has(each))).to.be
        .empty;
    });

    it('include every peer of the packages that it imports from here', () => {
      const peers = entryPointsOf(each)
        .flatMap(peersBehind)
        .filter((peer) => !(peer in peerDependencies));
      expect([...new Set(peers)].filter((peer) => !(peer in dependencies))).to.deep.equal([]);
    });

    it('are those of this repository in the same version', () => {
      for (const [needed, range] of Object.entries(dependencies)) {
        const own = ownPackage(needed);
        if (own !== undefined) expect(range, needed).to.equal(own.manifest.version);
      }
    });

    it('are tested in versions that its ranges have', () => {
      for (const [needed, range] of Object.entries({ ...dependencies, ...peerDependencies })) {
        if (ownPackage(needed) !== undefined) continue;
        const place = [`${folder}/node_modules/${needed}`, `node_modules/${needed}`].find(
          (path) => path in lock.packages,
        );
        const { version = '' } = lock.packages[place ?? ''] ?? {};
        expect(semver.satisfies(version, range), `${needed} ${version} for ${range}`).to.equal(true);
      }
    });

    it('have no optional peer that is no peer', () => {
      expect(Object.keys(peerDependenciesMeta).filter((peer) => !(peer in peerDependencies))).to.deep.equal(
        [],
      );
    });
  });

  describe(`package ${name}: what npm publishes`, () => {
    let packed: readonly string[] = [];
    before(() => {
      packed = packedFiles(folder);
    });

    it('is what the sources are compiled to, and the papers', () => {
      const sources = sourcesOf(each);
      const ownPages = [...pages.keys()].filter((page) => page.startsWith(`${folder}/`));
      const papers = [
        ...['CHANGELOG.md', 'LICENSE', 'package.json', 'llms.txt', ...Object.values(manifest.bin ?? {})],
        ...ownPages.map((page) => page.slice(folder.length + 1)),
        ...examplesOf(folder),
      ];
      // The core is compiled with the contract, which lies outside of its folder.
      const folders = name === '@concordat/core' ? 'dist/src/core' : 'dist';
      const compiledTo = (file: string, ends: readonly string[]) =>
        ends.map((end) => file.replace(folder, folders).replace(/\.ts$/, end));
      // JavaScript by entry point and by program, and chunks.
      const programs = manifest.bin === undefined ? [] : [`${folder}/cli/main.ts`];
      const written = [...entryPointsOf(each).map(({ source }) => source), ...programs];
      // The program of the service, with all that is within it, would have more maps than code.
      const hasMap = (file: string) => file !== 'src/service/cli/main.ts';
      // No code of others imports a program, or what is bundled into the programs or the console.
      const typed = sources.filter(
        (file) => !/^src\/(?:\w+\/(?:cli|terminal|console)|codegen\/init)\//.test(file),
      );
      const expected = [
        ...papers,
        ...typed.flatMap((file) => compiledTo(file, ['.d.ts'])),
        ...written.flatMap((file) => compiledTo(file, hasMap(file) ? ['.js', '.js.map'] : ['.js'])),
      ];
      expect(expected.filter((file) => !packed.includes(file))).to.deep.equal([]);
      const others = [
        ...(name === '@concordat/service' ? [/^deploy\//] : []),
        /\/[\w-]+-[A-Z\d]{8}\.js(?:\.map)?$/,
        ...(COPIED[name] ?? []),
      ];
      const extra = packed.filter(
        (file) => !expected.includes(file) && !others.some((other) => other.test(file)),
      );
      // After a source file was removed or renamed, `npm run build` clears dist/.
      expect(extra).to.deep.equal([]);
    });

    it('has the licence of every package whose code is in it, and no declaration that leads to one', () => {
      const licences = join(ROOT, folder, 'dist/LICENSES.txt');
      const text = existsSync(licences) ? readFileSync(licences, 'utf8') : '';
      const maps = packed.filter((file) => file.endsWith('.js.map'));
      const bundled = maps.flatMap((file) => {
        const map = JSON.parse(readFileSync(join(ROOT, folder, file), 'utf8')) as { sources: string[] };
        return map.sources.flatMap(
          (source) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1] ?? [],
        );
      });
      for (const found of new Set(bundled))
        expect(text).to.match(new RegExp(`^${found} \\d+\\.\\d+.*: `, 'm'));
      expect(packed.includes('dist/LICENSES.txt')).to.equal(text !== '');
      const unknown = declarationsBehind(each).filter(
        (needed) => BUNDLED.has(needed) && !(needed in peerDependencies),
      );
      expect(unknown).to.deep.equal([]);
    });

    if (name === '@concordat/service') {
      it('has the licences of the scripts of its pages', () => {
        const text = readFileSync(join(ROOT, folder, 'dist/LICENSES.txt'), 'utf8');
        // The first is of the script alone; the others are some of those whose code GraphiQL's script has.
        for (const found of [
          '@scalar/fastify-api-reference',
          'graphiql',
          'react',
          '@graphiql/react',
          'codemirror',
          'markdown-it',
        ]) {
          expect(text).to.match(new RegExp(`^${found} \\d+\\.\\d+.*: MIT\\n\\n.*(?:Copyright|MIT)`, 'ms'));
        }
      });
    }

    it('has source maps with the sources in them', () => {
      const maps = packed.filter((file) => file.endsWith('.js.map'));
      expect(maps, 'npm run build').to.have.length.above(name === '@concordat/service' ? 2 : 10);
      const bare = maps.filter((file) => {
        const map = JSON.parse(readFileSync(join(ROOT, folder, file), 'utf8')) as {
          readonly sources: readonly string[];
          readonly sourcesContent?: readonly (string | null)[];
        };
        return map.sources.some((_, index) => typeof map.sourcesContent?.[index] !== 'string');
      });
      expect(bare).to.deep.equal([]);
    });

    it('has no sources, and nothing that leads to them', () => {
      const sources = packed.filter((file) => /(?<!\.d)\.ts$|\.tsbuildinfo$/.test(file));
      // New projects are made from these, and readers copy those.
      expect(sources.filter((file) => !/^(?:init\/templates|guides\/examples)\//.test(file))).to.deep.equal(
        [],
      );
      expect(manifest.scripts).to.deep.include({
        postpack: 'node ../../.ci/published-manifest.js restore',
      });
      expect(manifest.scripts['prepack']).to.match(
        /^node \S+\/tsc -b .*&& node \S+\/published-manifest\.js strip$/,
      );
    });

    it('says where it comes from, and is public', () => {
      const { url } = packages[0]?.manifest.repository ?? {};
      expect(manifest.repository).to.deep.equal({ type: 'git', url, directory: folder });
      expect(url).to.match(/^git\+https:\/\/[\w.]+\/[\w-]+\/[\w-]+\.git$/);
      expect(manifest.publishConfig).to.deep.equal({ access: 'public', provenance: true });
    });

    it('has the licence of the repository', () => {
      const licence = (path: string) => readFileSync(join(ROOT, path, 'LICENSE'), 'utf8');
      expect(licence(folder)).to.equal(licence('.'));
    });

    it('has a change log that begins with its version', () => {
      const text = readFileSync(join(ROOT, folder, 'CHANGELOG.md'), 'utf8');
      expect(/^## (\S+)/m.exec(text)?.[1]).to.equal(manifest.version);
    });
  });
}

/** The examples of a package, by their paths from its folder. */
function examplesOf(folder: string): readonly string[] {
  const examples = join(ROOT, folder, 'guides/examples');
  return existsSync(examples) ? readdirSync(examples).map((name) => `guides/examples/${name}`) : [];
}
