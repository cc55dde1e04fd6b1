/** The JSON Schema Test Suite beside this checkout: its groups of tests, and the documents that its schemas refer to. */
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { suitesFolder } from '../../../support/outside-files.js';

export const suiteFolder = `${suitesFolder}json-schema`;

/** Schemas that mean the same, each with values and whether they are valid. */
export interface Group {
  /** The file that it is in, without its extension. */
  readonly file: string;
  readonly description: string;
  readonly schema: unknown;
  readonly tests: readonly Example[];
}

export interface Example {
  readonly description: string;
  readonly data: unknown;
  readonly valid: boolean;
}

/** The groups of a folder such as `draft2020-12/optional`, without those of its own folders. */
export function suiteGroups(path: string): readonly Group[] {
  const tests = join(suiteFolder, 'tests', path);
  const files = readdirSync(tests).filter((file) => file.endsWith('.json'));
  return files.flatMap((file) =>
    (read(join(tests, file)) as readonly Omit<Group, 'file'>[]).map((group) => ({
      ...group,
      file: basename(file, '.json'),
    })),
  );
}

/** The suite's remote documents by the URI that its rule gives them, and the meta-schemas of 2020-12. */
export function suiteRemotes(): Readonly<Record<string, unknown>> {
  const remotes = join(suiteFolder, 'remotes');
  const files = readdirSync(remotes, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.json'),
  );
  return {
    ...metaSchemas(),
    ...Object.fromEntries(files.map((file) => [`http://localhost:1234/${file}`, read(join(remotes, file))])),
  };
}

/** Ajv brings them along. */
function metaSchemas(): Readonly<Record<string, unknown>> {
  const { resolve: find } = createRequire(import.meta.url);
  const root = find('ajv/dist/refs/json-schema-2020-12/schema.json');
  const parts = readdirSync(join(root, '../meta')).map((file) => join(root, '../meta', file));
  const documents = [root, ...parts].map((file) => read(file) as { readonly $id: string });
  return Object.fromEntries(documents.map((document) => [document.$id, document]));
}

function read(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}
