/** `concordat init` in projects as they are: of CommonJS modules, with their own settings, in workspaces, and with packed packages. */

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { HOSTS, serverTemplate } from '../../../src/codegen/init/manifest.js';
import { filled } from '../../../src/codegen/init/project.js';
import { complaints } from '../strict-compiler.js';
import { NewProject, useProjects } from './new-project.js';

const BOTH = { rest: true, graphql: true, subscriptions: false };

/** Its adapter for Node is no package of this repository. */
const ELSEWHERE = 'hono';

describe('concordat init: projects as they are', () => {
  const newProject = useProjects();

  for (const type of [undefined, 'commonjs']) {
    const what = type === undefined ? 'without a type of modules' : 'of CommonJS modules';
    describe(`a project ${what}`, () => {
      let project: NewProject;

      before(async () => {
        project = await newProject();
        await project.write('package.json', JSON.stringify({ name: 'shop', type }));
        expect((await project.init()).notes).to.deep.equal([]);
      });

      it('keeps its type, compiles, and passes its tests', async () => {
        const manifest = JSON.parse(await project.read('package.json')) as { readonly type?: string };
        expect(manifest.type).to.equal(type);
        expect(JSON.parse(await project.read('tsconfig.json'))).to.have.nested.property(
          'compilerOptions.isolatedModules',
          true,
        );
        const hosts = HOSTS.filter((host) => host !== ELSEWHERE);
        const others = hosts.map((host) => `src/${host}.ts`);
        for (const host of hosts)
          await project.write(`src/${host}.ts`, filled(serverTemplate(host, BOTH, '')));
        const settings = { verbatimModuleSyntax: false, isolatedModules: true };
        expect(complaints(project.directory, [...project.roots(), ...others], settings)).to.deep.equal([]);
        const { stdout, stderr, status } = project.test();
        expect([status, stderr]).to.deep.equal([0, '']);
        expect(stdout)
          .to.match(/# pass 1\n/)
          .and.to.match(/# todo 1\n/);
      });

      it('has nothing to gain from a second run', async () => {
        expect(await project.init()).to.deep.include({ written: [], notes: [] });
      });
    });
  }

  it('names what the settings of an existing compiler lack', async () => {
    const project = await newProject();
    await project.write('package.json', '{}');
    for (const [options, note] of [
      [
        { module: 'commonjs' },
        /^tsconfig.json does not read the "exports" of packages: set "module" to "nodenext"$/,
      ],
      [{ module: 'nodenext', verbatimModuleSyntax: true }, /^tsconfig.json has "verbatimModuleSyntax"/],
    ] as const) {
      await project.write('tsconfig.json', JSON.stringify({ compilerOptions: options }));
      const { notes } = await project.init();
      expect(notes).to.have.length(1);
      expect(notes[0]).to.match(note);
    }
    await project.write('tsconfig.json', '{ "compilerOptions": { "module": "nodenext" } }');
    expect((await project.init()).notes).to.deep.equal([]);
  });

  it('marks generated files for git, and keeps the settings that there are', async () => {
    const project = await newProject();
    await project.write('Containerfile', 'FROM scratch\n');
    await project.write('.gitattributes', '*.png binary');
    await project.init();
    const attributes = '*.png binary\ngenerated/** linguist-generated\n';
    expect(await project.read('.gitattributes')).to.equal(attributes);
    expect(await project.read('Containerfile')).to.equal('FROM scratch\n');
    expect(await project.read('.dockerignore')).to.equal('**/node_modules\n**/dist\n**/.git\n');
  });

  describe('in a workspace', () => {
    /** A folder of a workspace whose root has a file. */
    async function memberOf(file: string, text: string): Promise<NewProject> {
      const root = await newProject();
      await root.write(file, text);
      const folder = join(root.directory, 'services/orders');
      await mkdir(folder, { recursive: true });
      return new NewProject(folder);
    }

    it('of npm, builds its image in the root', async () => {
      const project = await memberOf('package.json', '{ "type": "module", "workspaces": ["services/*"] }');
      const { stdout } = await project.concordat('init');
      expect(stdout).to.match(/\nNext: npm install && npm run dev\n$/);
      const image = await project.read('Containerfile');
      expect(image).to.include('podman build --tag service --file services/orders/Containerfile .\n');
      expect(image).to.include('\nRUN npm ci\nRUN cd services/orders && npm run build\nRUN npm prune');
      expect(await project.files()).to.include.keys('Containerfile.dockerignore');
      expect(await project.files()).not.to.include.keys('.dockerignore');
    });

    for (const [file, text] of [
      ['pnpm-workspace.yaml', 'packages: [services/*]\n'],
      ['pnpm-lock.yaml', ''],
      ['package.json', '{ "type": "module", "packageManager": "pnpm@10.34.9" }'],
    ] as const) {
      it(`of pnpm, which ${file} shows, names its commands`, async () => {
        const project = await memberOf(file, text);
        const { stdout } = await project.concordat('init');
        expect(stdout).to.match(
          /\n\.\.\/\.\.\/pnpm-workspace\.yaml needs the line "allowBuilds: \{ esbuild: false \}", or pnpm 11 and later do not install\nNext: pnpm install && pnpm run dev\n$/,
        );
        const page = await project.read('AGENTS.md');
        expect(page).to.include('`pnpm run generate`').and.to.include('`pnpm exec concordat check`');
        expect(page).not.to.match(/\bnp[mx] /);
        const image = await project.read('Containerfile');
        expect(image).to.include('\nRUN cd services/orders && pnpm run build\n').and.not.to.include('npm ci');
      });
    }

    it('does not look for one outside of its repository', async () => {
      const project = await memberOf('pnpm-workspace.yaml', 'packages: [services/*]\n');
      await project.write('.git/HEAD', '');
      expect((await project.init()).notes).to.deep.equal([]);
    });
  });

  describe('with packed packages', () => {
    const NAMES = ['concordat', 'concordat-runtime', 'concordat-tools', 'concordat-core'];
    const pack = async (project: NewProject, folder: string, names = NAMES, version = '0.3.0') => {
      for (const name of names) await project.write(`${folder}/${name}-${version}.tgz`, '');
    };
    const versionsOf = async (project: NewProject) => {
      const manifest = JSON.parse(await project.read('package.json')) as Readonly<
        Record<'dependencies' | 'devDependencies', Readonly<Record<string, string>>>
      >;
      const { dependencies, devDependencies } = manifest;
      return [
        dependencies['@concordat/runtime'],
        devDependencies['concordat'],
        devDependencies['@concordat/tools'],
      ];
    };

    it('lists them, and newer ones when it is run again', async () => {
      const { directory } = await newProject();
      await mkdir(join(directory, 'shop'));
      const project = new NewProject(join(directory, 'shop'));
      await pack(project, '../packs');
      await pack(project, 'new', NAMES, '0.3.0-rc.1');
      await project.init();
      await project.init('--packages', '../packs');
      expect(await versionsOf(project)).to.deep.equal([
        'file:../packs/concordat-runtime-0.3.0.tgz',
        'file:../packs/concordat-0.3.0.tgz',
        'file:../packs/concordat-tools-0.3.0.tgz',
      ]);
      await project.init('--packages', './new/');
      expect(await versionsOf(project)).to.deep.equal([
        'file:new/concordat-runtime-0.3.0-rc.1.tgz',
        'file:new/concordat-0.3.0-rc.1.tgz',
        'file:new/concordat-tools-0.3.0-rc.1.tgz',
      ]);
      await project.init();
      expect((await versionsOf(project))[1]).to.equal('file:new/concordat-0.3.0-rc.1.tgz');
    });

    it('names what pnpm needs, until it has it', async () => {
      const project = await newProject();
      await pack(project, 'packs');
      const settings = 'allowBuilds: { esbuild: false }\n';
      await project.write('pnpm-workspace.yaml', settings);
      const { notes } = await project.init('--packages', 'packs');
      expect(notes).to.deep.equal([
        'pnpm-workspace.yaml needs this line, because the packages are on no registry: overrides: {"concordat": "file:packs/concordat-0.3.0.tgz", "@concordat/runtime": "file:packs/concordat-runtime-0.3.0.tgz", "@concordat/tools": "file:packs/concordat-tools-0.3.0.tgz"}',
      ]);
      await project.write('pnpm-workspace.yaml', settings + (notes[0] ?? '').replace(/^.*?: /, ''));
      expect((await project.init('--packages', 'packs')).notes).to.deep.equal([]);
    });

    for (const [what, folder, message] of [
      ['no folder', 'nowhere', '--packages: nowhere is not a folder\n'],
      ['a file', 'package.json', '--packages: package.json is not a folder\n'],
      ['an empty folder', 'empty', /^--packages: empty has no concordat-….tgz: npm run pack, in a clone/],
      ['a folder without one of them', 'some', /^--packages: some has no concordat-tools-….tgz: /],
      ['a folder with several versions', 'both', /^--packages: both has more than one concordat-….tgz: /],
    ] as const) {
      it(`writes nothing for ${what}`, async () => {
        const project = await newProject();
        await mkdir(join(project.directory, 'empty'));
        await pack(project, 'some', NAMES.slice(0, 2));
        await pack(project, 'both');
        await pack(project, 'both', NAMES, '0.4.0');
        const before = await project.files();
        const { exitCode, stdout, stderr } = await project.concordat('init', '--packages', folder);
        expect([exitCode, stdout]).to.deep.equal([2, '']);
        if (typeof message === 'string') expect(stderr).to.equal(message);
        else
          expect(stderr)
            .to.match(message)
            .and.to.match(/^[^\n]+\n$/);
        expect(await project.files()).to.deep.equal(before);
      });
    }
  });
});
