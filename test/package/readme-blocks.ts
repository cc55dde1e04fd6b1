/** The code blocks of the READMEs: each has a row here that names the test which runs it as it is, or says why none does. */

import { type Block, blocks } from './readmes.js';

/** By README and heading, the blocks below it in their order: the name of each, and the file beside this one that runs it. */
const TABLE = {
  'README.md': {
    'Run it': {
      start: 'first-minute.test.ts',
      'start message': 'first-minute.test.ts',
      'sign in': 'first-minute.test.ts',
      profile: 'first-minute.test.ts',
      watch: 'first-minute.test.ts',
      'create a post': 'first-minute.test.ts',
      'post added': 'first-minute.test.ts',
    },
    'Follow one request': { house: 'readme.test.ts' },
  },
  'src/runtime/README.md': {
    concordat: { 'install the runtime': 'own-contract.test.ts' },
    'Run a contract': {
      'openapi.yaml': 'own-contract.test.ts',
      'generate the contract': 'own-contract.test.ts',
      'engine.ts': 'own-contract.test.ts',
      'server.ts': 'own-contract.test.ts',
      greetings: 'own-contract.test.ts',
    },
    Hosts: {
      express: 'readme.test.ts',
      fastify: 'readme.test.ts',
      nest: 'readme.test.ts',
      hono: 'readme.test.ts',
      node: 'readme.test.ts',
    },
    "The host's request context": { 'signed-in.ts': 'own-contract.test.ts' },
    'Behind openapi-backend': { 'backend.ts': 'own-tools.test.ts' },
    'Run a GraphQL schema': {
      'schema.graphql': 'own-contract.test.ts',
      'generate the schema': 'own-contract.test.ts',
      'graphql-server.ts': 'own-contract.test.ts',
      countdown: 'own-contract.test.ts',
    },
    'Webhooks and callbacks': {
      'hooks.yaml': 'own-contract.test.ts',
      'generate the webhooks': 'own-contract.test.ts',
      'send.ts': 'own-contract.test.ts',
    },
    'Streams and abort': {
      'ticks.ts': 'own-transport.test.ts',
      'streams.ts': 'own-contract.test.ts',
      'add entries': 'own-contract.test.ts',
    },
    'Tools for models': { 'install the tools': 'own-tools.test.ts', 'tools.ts': 'own-tools.test.ts' },
    Tests: { 'greetings.test.ts': 'own-tools.test.ts' },
    'Property tests': { 'greetings.property.test.ts': 'own-tools.test.ts' },
    'Write your own transport': {
      'lines.ts': 'own-transport.test.ts',
      'run lines': 'own-transport.test.ts',
      'transport.test.ts': 'own-transport.test.ts',
    },
  },
  'src/codegen/README.md': {
    '@concordat/codegen': { 'install the generator': 'installed.test.ts' },
    'Start a project': { 'start a project': 'new-project.test.ts' },
    'The program': {
      'generator commands': 'installed.test.ts',
      'lasting commands': 'installed.test.ts',
      'codegen.ts': 'own-contract.test.ts',
    },
    'Handlers that are not written yet': { 'partial.ts': 'own-contract.test.ts' },
    'Compare versions': {
      diff: 'installed.test.ts',
      'diff report': 'installed.test.ts',
      'diff of both': 'installed.test.ts',
    },
    'Verify a server': { verify: 'verified-server.test.ts', 'verify report': 'verified-server.test.ts' },
    'Verify a GraphQL schema': {
      'verify schema': 'verified-server.test.ts',
      'verify schema report': 'verified-server.test.ts',
    },
    'generate()': { 'generate.ts': 'own-contract.test.ts' },
    'Typed values': {
      'values.codegen.ts': 'typed-values.test.ts',
      'decimals.ts': 'typed-values.test.ts',
      'payments.ts': 'typed-values.test.ts',
    },
    Models: { 'models.codegen.ts': 'typed-values.test.ts' },
    Streams: { 'streams.yaml': 'own-contract.test.ts' },
  },
  'src/core/README.md': {
    '@concordat/core': { 'install the core': 'snippets.test.ts' },
    'In a Koa application': { 'app.ts': 'snippets.test.ts', 'graphql-app.ts': 'snippets.test.ts' },
    'Your own store': { 'store.test.ts': 'snippets.test.ts' },
    'A part of the stores': { 'catalogue.ts': 'snippets.test.ts', 'catalogue.test.ts': 'snippets.test.ts' },
    'Your own operations and fields': {
      'stock.yaml': 'extended-core.test.ts',
      'stock.codegen.ts': 'extended-core.test.ts',
      'generate the extension': 'extended-core.test.ts',
      'stock.ts': 'extended-core.test.ts',
      'shop.ts': 'extended-core.test.ts',
    },
    'Your own policy': { 'policy.ts': 'snippets.test.ts' },
    'Asynchronous tokens': { 'tokens.ts': 'snippets.test.ts' },
    'Typed clients': {
      'rest-client.ts': 'typed-clients.test.ts',
      'generate with hey-api': 'install/clients.ts',
      'hey-client.ts': 'install/clients.ts',
      'client.codegen.ts': 'typed-clients.test.ts',
      'graphql-client.ts': 'typed-clients.test.ts',
      'generate the client': 'typed-clients.test.ts',
    },
  },
  'src/service/README.md': {
    '@concordat/service': { 'install the service': 'installed.test.ts' },
    'Look around': { requests: 'first-minute.test.ts' },
    'Tools for models': { 'tools of the service': 'own-tools.test.ts' },
    'Embed it': { 'embed.ts': 'installed.test.ts', 'mount.ts': 'installed.test.ts' },
    // The lines of systemctl are not run, because a test has no systemd. What they name is in the blocks before them.
    Deploy: {
      unit: 'deployment.test.ts',
      environment: 'deployment.test.ts',
      nginx: 'deployment.test.ts',
      systemctl: 'deployment.test.ts',
    },
  },
} as const;

type ValuesOf<T> = T extends unknown ? T[keyof T] : never;
type KeysOf<T> = T extends unknown ? keyof T : never;

export type BlockName = KeysOf<ValuesOf<ValuesOf<typeof TABLE>>>;

interface Row {
  readonly readme: string;
  readonly heading: string;
  readonly name: string;
  readonly runBy: string;
}

type Names = Readonly<Record<string, string>>;
const table: Readonly<Record<string, Readonly<Record<string, Names>>>> = TABLE;

export const rows: readonly Row[] = Object.entries(table).flatMap(([readme, headings]) =>
  Object.entries(headings).flatMap(([heading, names]) =>
    Object.entries(names).map(([name, runBy]) => ({ readme, heading, name, runBy })),
  ),
);

/** The blocks by their names, as far as the READMEs have the headings of the table. */
const byName = new Map<string, Block>();
for (const row of rows) {
  const isBelow = (each: { readonly readme: string; readonly heading: string }) =>
    each.readme === row.readme && each.heading === row.heading;
  const found = blocks.filter(isBelow)[rows.filter(isBelow).indexOf(row)];
  if (found !== undefined) byName.set(row.name, found);
}

/** The text of a block; of a file, without the line that names it. @throws where its README has none below its heading */
export function block(name: BlockName): string {
  const text = byName.get(name)?.text;
  if (text === undefined) throw new Error(`no README has the block ${name}`);
  return text.replace(new RegExp(`^(//|#) ${name.replaceAll('.', '\\.')}\\n\\n?`), '');
}

/** A block that is to be run where the service is not on the port that the README has. */
export function blockAt(name: BlockName, port: number): string {
  return block(name).replaceAll(/(localhost|127\.0\.0\.1):3000/g, `$1:${String(port)}`);
}
