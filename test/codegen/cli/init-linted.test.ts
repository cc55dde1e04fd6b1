/** A new project passes the strict presets of typescript-eslint, and Prettier with the settings that the project has. */

import { rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { check, getFileInfo, resolveConfig } from 'prettier';
import { expect } from 'chai';
import { HOSTS } from '../../../src/codegen/init/manifest.js';
import { someOf } from '../../support/budget.js';
import { installOwnPackages } from '../../support/own-packages.js';
import { type NewProject, useProjects } from './new-project.js';

const NOTES = `openapi: 3.1.0
info: { title: Notes, version: '1' }
servers: [{ url: /v1 }]
security: [{ keyAuth: [] }]
paths:
  /notes:
    get:
      operationId: listNotes
      parameters: [{ name: ids, in: query, schema: { type: array, maxItems: 9, items: { type: integer } } }]
      responses:
        '200':
          description: All of them.
          content:
            application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Note' } } }
            application/xml: { schema: { $ref: '#/components/schemas/Note' } }
            text/csv: { schema: { type: string } }
    put:
      operationId: replaceAllNotesOfOneUserWithOthersWithOth
      responses: { '204': { description: Replaced. } }
    patch:
      operationId: replaceAllNotesOfOneUserWithOthersWithOther
      responses: { '204': { description: Replaced. } }
    delete:
      operationId: notes/delete-all-notes-of-one-user-and-all-of-their-comments-with-all-of-the-attachments
      responses: { '204': { description: Gone. } }
    post:
      operationId: notes/write-one-of-many
      summary: Write one
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } } }
      responses: { '204': { description: Written. } }
components:
  securitySchemes:
    keyAuth: { type: apiKey, in: header, name: X-Key }
  schemas:
    Note:
      type: object
      required: [text]
      properties: { id: { type: integer, readOnly: true }, text: { type: string, pattern: '^a' }, at: { type: string, format: date-time } }
      additionalProperties: false
`;

const SCHEMA = `type Query { node: Node, notes(first: Int!): [Note!]! }
type Mutation { forget: Boolean! }
type Subscription { noted: Note! }
interface Node { id: ID! }
type Note implements Node { id: ID!, at: Date!, text(length: Int): String!, related: [Note!] }
type Photo { width(unit: Unit): Int!, height(unit: Unit): Int!, note: Note, photoOfTheSameSizeAndOfTheSameCamera(n: Int): Photo }
type Comment { ${words('likes answers replies attachments reports editions translations ratings hiddenReasons authors')} }
type CommentOnAPhotoThatSomebodyTook { textOfTheCommentInTheLanguageOfTheReader(a: Int): String, note: Note! }
enum Unit { PIXELS }
scalar Date
`;

/** Fields with arguments. */
function words(names: string): string {
  return names.replaceAll(/\w+/g, '$&(first: Int): Int');
}

/** The settings of the project, and the types of this repository's packages from their sources. */
const TSCONFIG = `{
  "extends": "./tsconfig.json",
  "compilerOptions": { "customConditions": ["@concordat/source"] }
}
`;

/** graphql 17 deprecates `serialize` and `parseValue`, and 16, which a project may have, knows no other names. */
const DEPRECATED = /^src\/graphql\/resolvers\/date\.ts:\d+ @typescript-eslint\/no-deprecated$/;

/** What this test uses of ESLint, whose own types a checkout does not have. */
interface Linter {
  lintFiles(patterns: readonly string[]): Promise<readonly LintedFile[]>;
}
interface LintedFile {
  readonly filePath: string;
  readonly messages: readonly { readonly line: number; readonly ruleId?: string; readonly message: string }[];
}
interface Linters {
  readonly ESLint: new (options: object) => Linter;
  readonly defineConfig: (...configs: readonly unknown[]) => unknown;
  readonly configs: Readonly<Record<'strictTypeChecked' | 'stylisticTypeChecked', unknown>>;
}

/** Installs ESLint where it is not installed yet, and loads it. */
function loadLinters(): Linters {
  const folder = fileURLToPath(new URL('linters/', import.meta.url));
  installOwnPackages(folder);
  const require = createRequire(join(folder, 'package.json'));
  const names = ['eslint', 'eslint/config', 'typescript-eslint'];
  return Object.assign({}, ...names.map((name) => require(name) as object)) as Linters;
}

describe('concordat init: a project under strict linters', () => {
  const newProject = useProjects();
  let linters: Linters;
  before(() => {
    linters = loadLinters();
  });

  /** What ESLint says: `file:line rule`. */
  async function lintReports({ directory }: NewProject): Promise<readonly string[]> {
    await writeFile(join(directory, 'tsconfig.lint.json'), TSCONFIG);
    const { ESLint, defineConfig, configs } = linters;
    const eslint = new ESLint({
      cwd: directory,
      overrideConfigFile: true,
      overrideConfig: defineConfig(configs.strictTypeChecked, configs.stylisticTypeChecked, {
        linterOptions: { reportUnusedDisableDirectives: 'error' },
        languageOptions: {
          parserOptions: {
            project: 'tsconfig.lint.json',
            tsconfigRootDir: directory,
            // With CI=true it would keep the program of the first project.
            disallowAutomaticSingleRunInference: true,
          },
        },
      }),
    });
    const results = await eslint.lintFiles(['**/*.ts']);
    return results.flatMap(({ filePath, messages }) =>
      messages.map(
        ({ line, ruleId, message }) =>
          `${filePath.slice(directory.length + 1)}:${String(line)} ${ruleId ?? message}`,
      ),
    );
  }

  /** The files that `prettier --check .` would name. */
  async function unformatted(project: NewProject): Promise<readonly string[]> {
    const bad: string[] = [];
    for (const [name, text] of Object.entries(await project.files())) {
      const filepath = join(project.directory, name);
      const ignorePath = [join(project.directory, '.gitignore'), join(project.directory, '.prettierignore')];
      const { ignored, inferredParser } = await getFileInfo(filepath, { ignorePath });
      if (ignored || inferredParser === null) continue;
      const options = await resolveConfig(filepath);
      if (!(await check(text, { ...options, filepath }))) bad.push(name);
    }
    return bad;
  }

  /** A project with a server for each host that is tried, beside the one that the program starts. */
  async function linted(contracts: Readonly<Record<string, string>>): Promise<NewProject> {
    const project = await newProject();
    await rm(join(project.directory, 'package.json'));
    for (const [file, text] of Object.entries(contracts)) await project.write(file, text);
    for (const host of someOf(HOSTS, 3)) {
      await project.init('--host', host);
      const server = await project.read('src/server.ts');
      await rm(join(project.directory, 'src/server.ts'));
      // Its adapter for Node is no package of this repository, so its types are unknown here.
      await project.write(`src/${host}.${host === 'hono' ? 'mts' : 'ts'}`, server);
    }
    return project;
  }

  const projects = [
    ['the examples of init', {}],
    ['contracts of many kinds', { 'openapi.yaml': NOTES, 'schema.graphql': SCHEMA }],
  ] as const;
  for (const [what, contracts] of someOf(projects, 2, 1)) {
    it(`has no report, with every host: ${what}`, async () => {
      const project = await linted(contracts);
      // The team writes the contracts itself.
      const own = (name: string) => !(name in contracts);
      expect((await unformatted(project)).filter(own)).to.deep.equal([]);
      const reports = await lintReports(project);
      expect(reports.filter((report) => !DEPRECATED.test(report))).to.deep.equal([]);
    });
  }
});
