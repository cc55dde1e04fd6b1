/** The code blocks of the READMEs and guides: each has a row here that names the test which runs it as it is, or says why none does. */

import { blocks } from './pages.js';

/** By page, its blocks in their order: the name of each, and the file beside this one that runs it. A name is unique over all pages. */
const TABLE = {
  'README.md': {
    'start from a clone': 'first-minute.test.ts',
    start: 'first-minute.test.ts',
    'start message': 'first-minute.test.ts',
    'sign in': 'first-minute.test.ts',
    profile: 'first-minute.test.ts',
    watch: 'first-minute.test.ts',
    'create a post': 'first-minute.test.ts',
    'post added': 'first-minute.test.ts',
    house: 'readme.test.ts',
  },
  'src/runtime/README.md': {
    'install the runtime': 'own-contract.test.ts',
    'hello.ts': 'own-contract.test.ts',
  },
  'src/runtime/guides/client.md': {
    'greet.ts': 'own-contract.test.ts',
    'rest-client.ts': 'typed-clients.test.ts',
    'generate with hey-api': 'install/clients.ts',
    'hey-client.ts': 'install/clients.ts',
    'client.codegen.ts': 'typed-clients.test.ts',
    'graphql-client.ts': 'typed-clients.test.ts',
    'generate the client': 'typed-clients.test.ts',
    'hooks.yaml': 'own-contract.test.ts',
    'generate the webhooks': 'own-contract.test.ts',
    'send.ts': 'own-contract.test.ts',
    'greetings.test.ts': 'own-tools.test.ts',
    'greetings.property.test.ts': 'own-tools.test.ts',
  },
  'src/runtime/guides/errors.md': {
    'notes.ts': 'own-contract.test.ts',
    'unknown note': 'own-contract.test.ts',
  },
  'src/runtime/guides/existing-app.md': {
    'record the routes': 'moving-in.test.ts',
    'observe the routes': 'moving-in.test.ts',
    'choose a part': 'moving-in.test.ts',
    'list the others': 'moving-in.test.ts',
    'engine of a part': 'moving-in.test.ts',
    'signed in by Koa': 'moving-in.test.ts',
    'old Koa route': 'moving-in.test.ts',
    'handler of the route': 'moving-in.test.ts',
    'mount on Koa': 'moving-in.test.ts',
    'types of Koa': 'moving-in.test.ts',
    'signed-in.ts': 'own-contract.test.ts',
  },
  'src/runtime/guides/graphql.md': {
    'schema.graphql': 'own-contract.test.ts',
    'generate the schema': 'own-contract.test.ts',
    'graphql-server.ts': 'own-contract.test.ts',
    countdown: 'own-contract.test.ts',
    'parcels.graphql': 'standard-schemas.test.ts',
    'noted.ts': 'typed-values.test.ts',
    'models.codegen.ts': 'typed-values.test.ts',
  },
  'src/runtime/guides/hooks.md': {
    'hooks.ts': 'own-hooks.test.ts',
    'requests.ts': 'own-hooks.test.ts',
    'rate-limits.ts': 'own-hooks.test.ts',
    'cors-koa.ts': 'own-hooks.test.ts',
    'traced.ts': 'own-hooks.test.ts',
    'traced-graphql.ts': 'own-hooks.test.ts',
  },
  'src/runtime/guides/hosts.md': {
    koa: 'readme.test.ts',
    node: 'readme.test.ts',
    express: 'readme.test.ts',
    fastify: 'readme.test.ts',
    hono: 'readme.test.ts',
    'worker.ts': 'own-contract.test.ts',
    'backend.ts': 'own-tools.test.ts',
    'ticks.ts': 'own-transport.test.ts',
    'lines.ts': 'own-transport.test.ts',
    'run lines': 'own-transport.test.ts',
    'transport.test.ts': 'own-transport.test.ts',
  },
  'src/runtime/guides/keep-errors.md': {
    'write errors': 'moving-in.test.ts',
    'explain errors': 'moving-in.test.ts',
    'keep-errors': 'readme.test.ts',
  },
  'src/runtime/guides/mcp.md': {
    'install the tools': 'own-tools.test.ts',
    'tools.codegen.ts': 'own-tools.test.ts',
    'tools.ts': 'own-tools.test.ts',
    'tools of the service': 'own-tools.test.ts',
  },
  'src/runtime/guides/observe.md': {
    'observed.ts': 'own-tools.test.ts',
    'deviations.test.ts': 'own-tools.test.ts',
  },
  'src/runtime/guides/security.md': {
    'notes.yaml': 'own-contract.test.ts',
    'security.ts': 'own-contract.test.ts',
  },
  'src/runtime/guides/start.md': {
    'start a project': 'new-project.test.ts',
    'openapi.yaml': 'own-contract.test.ts',
    'generate the contract': 'own-contract.test.ts',
    'engine.ts': 'own-contract.test.ts',
    'server.ts': 'own-contract.test.ts',
    greetings: 'own-contract.test.ts',
  },
  'src/runtime/guides/streams.md': {
    'streams.yaml': 'own-contract.test.ts',
    'streams.ts': 'own-contract.test.ts',
    'add entries': 'own-contract.test.ts',
  },
  'src/runtime/guides/version-bridge.md': {
    'openapi-v1.yaml': 'own-bridge.test.ts',
    'generate two versions': 'own-bridge.test.ts',
    'versions.ts': 'own-bridge.test.ts',
  },
  'src/codegen/README.md': {
    'install the generator': 'installed.test.ts',
  },
  'src/codegen/guides/from-validators.md': {
    'generate the same document': 'moving-in.test.ts',
    'old backend handler': 'moving-in.test.ts',
    'handler of the backend': 'moving-in.test.ts',
    'bearer tokens': 'moving-in.test.ts',
    'format of errors': 'moving-in.test.ts',
    'part before the backend': 'moving-in.test.ts',
    'generate what was validated': 'moving-in.test.ts',
    'old Express route': 'moving-in.test.ts',
    'handler of the Express route': 'moving-in.test.ts',
    'old security of Express': 'moving-in.test.ts',
    'security of the handler': 'moving-in.test.ts',
    'part before the validator': 'moving-in.test.ts',
    'handlers of the part': 'moving-in.test.ts',
    'all of Express': 'moving-in.test.ts',
  },
  'src/codegen/guides/generate.md': {
    'generator commands': 'installed.test.ts',
    'lasting commands': 'installed.test.ts',
    'codegen.ts': 'own-contract.test.ts',
    'sections.codegen.ts': 'own-contract.test.ts',
    'list settings': 'own-contract.test.ts',
    'apis.codegen.ts': 'own-contract.test.ts',
    'generate.ts': 'own-contract.test.ts',
  },
  'src/codegen/guides/values.md': {
    'values.codegen.ts': 'typed-values.test.ts',
    'decimals.ts': 'typed-values.test.ts',
    'payments.ts': 'typed-values.test.ts',
    'parcels.ts': 'standard-schemas.test.ts',
  },
  'src/tools/README.md': {
    'install the contract tools': 'installed.test.ts',
  },
  'src/tools/guides/coverage.md': {
    'usage.test.ts': 'own-tools.test.ts',
    coverage: 'own-tools.test.ts',
    'coverage report': 'own-tools.test.ts',
  },
  'src/tools/guides/diff.md': {
    diff: 'installed.test.ts',
    'diff report': 'installed.test.ts',
    'diff of both': 'installed.test.ts',
    'accept a break': 'installed.test.ts',
    'accepted break': 'installed.test.ts',
    'write a bridge': 'own-bridge.test.ts',
    'written bridge': 'own-bridge.test.ts',
  },
  'src/tools/guides/mock.md': {
    'notebook.yaml': 'sandbox-guide.test.ts',
    sandbox: 'sandbox-guide.test.ts',
    'sandbox requests': 'sandbox-guide.test.ts',
    'sandbox answers': 'sandbox-guide.test.ts',
    explain: 'sandbox-guide.test.ts',
    explanation: 'sandbox-guide.test.ts',
    'overlay.yaml': 'sandbox-guide.test.ts',
    'notebook.graphql': 'sandbox-guide.test.ts',
    'sandbox of both': 'sandbox-guide.test.ts',
    'requests of both': 'sandbox-guide.test.ts',
    'answers of both': 'sandbox-guide.test.ts',
    'notebook.json': 'sandbox-guide.test.ts',
    'seeded sandbox': 'sandbox-guide.test.ts',
    'control requests': 'sandbox-guide.test.ts',
    'control answers': 'sandbox-guide.test.ts',
    'partial.ts': 'own-contract.test.ts',
    'notebook.ts': 'sandbox-guide.test.ts',
  },
  'src/tools/guides/proxy.md': {
    proxy: 'installed.test.ts',
    'proxy report': 'installed.test.ts',
    'enforcing proxy': 'installed.test.ts',
    'rejected request': 'installed.test.ts',
  },
  'src/tools/guides/verify.md': {
    verify: 'verified-server.test.ts',
    'verify report': 'verified-server.test.ts',
    'verify schema': 'verified-server.test.ts',
    'verify schema report': 'verified-server.test.ts',
  },
  'src/core/README.md': {
    'install the core': 'snippets.test.ts',
  },
  'src/core/guides/app.md': {
    'app.ts': 'snippets.test.ts',
    'graphql-app.ts': 'snippets.test.ts',
    'shop.ts': 'extended-core.test.ts',
    'catalogue.yaml': 'extended-core.test.ts',
    'catalogue.codegen.ts': 'extended-core.test.ts',
    'generate the part': 'extended-core.test.ts',
    'catalogue-engine.ts': 'extended-core.test.ts',
    'store.test.ts': 'snippets.test.ts',
    'catalogue.ts': 'snippets.test.ts',
    'catalogue.test.ts': 'snippets.test.ts',
  },
  'src/core/guides/extend.md': {
    'stock.yaml': 'extended-core.test.ts',
    'stock.graphql': 'extended-core.test.ts',
    'shop.codegen.ts': 'extended-core.test.ts',
    'generate both': 'extended-core.test.ts',
    'stock.ts': 'extended-core.test.ts',
    'resolvers.ts': 'extended-core.test.ts',
    'lamps.test.ts': 'snippets.test.ts',
  },
  'src/core/guides/inside-the-write.md': {
    'write-hooks.ts': 'snippets.test.ts',
  },
  'src/core/guides/own-table.md': {
    'cards-table.ts': 'snippets.test.ts',
    'open-card.ts': 'snippets.test.ts',
  },
  'src/core/guides/rights.md': {
    'policy.ts': 'snippets.test.ts',
    'tenants.yaml': '../http/tenants-recipe.test.ts',
    'tenants.ts': '../http/tenants-recipe.test.ts',
    'tokens.ts': 'snippets.test.ts',
  },
  'src/core/guides/stored-fields.md': {
    'books.yaml': 'stored-books.test.ts',
    'serve the books': 'stored-books.test.ts',
    'books.ts': 'stored-books.test.ts',
    'books.graphql': 'stored-books.test.ts',
  },
  'src/service/README.md': {
    'install the service': 'installed.test.ts',
    requests: 'first-minute.test.ts',
  },
  'src/service/guides/backup.md': {
    'dump the database': '../service/postgres-backup.test.ts',
    'restore the dump': '../service/postgres-backup.test.ts',
    'postgresql.conf': '../service/postgres-backup.test.ts',
    'copy the server': '../service/postgres-backup.test.ts',
    'recover the server': '../service/postgres-backup.test.ts',
    'bring a user back': '../service/store-copies.test.ts',
    'move the store': '../service/store-copies.test.ts',
    'to-rows.mjs': '../service/store-copies.test.ts',
    'import the rows': '../service/store-copies.test.ts',
  },
  'src/service/guides/deploy.md': {
    'create the user and the database': 'deploy-files.test.ts',
    'install the units': 'deploy-files.test.ts',
    'create the tables': 'deploy-files.test.ts',
    // Only read, because a test has no systemd and no cluster.
    systemctl: 'deployment.test.ts',
    'create the folder': 'deploy-files.test.ts',
    'start the containers': 'deploy-files.test.ts',
    kubectl: 'deploy-files.test.ts',
  },
  'src/service/guides/failures.md': {
    'pooler.env': 'settings.test.ts',
    'standby.env': 'settings.test.ts',
    'sentinel.env': 'settings.test.ts',
  },
  'src/service/guides/observability.md': {
    // Only compared: the members of the lines of an outage and a request are those of the log.
    'log lines': 'readme.test.ts',
    'prometheus.yaml': 'monitoring.test.ts',
  },
  'src/service/guides/outbox.md': {
    'create a webhook': 'webhooks.test.ts',
    'receiver.yaml': 'webhooks.test.ts',
    'generate the receiver': 'webhooks.test.ts',
    'receive.ts': 'webhooks.test.ts',
    'queue.ts': 'webhooks.test.ts',
  },
  'src/service/guides/own-service.md': {
    'pack the packages': 'first-minute.test.ts',
    'embed.ts': 'installed.test.ts',
    'mount.ts': 'installed.test.ts',
    'whole-shop.ts': 'extended-core.test.ts',
  },
  'src/service/guides/upgrades.md': {
    'upgrade the store': '../service/migrations.test.ts',
    'ask the old version': '../service/migrations.test.ts',
    'expanded store': '../service/migrations.test.ts',
    'store of a later version': '../service/migrations.test.ts',
  },
} as const;

type ValuesOf<T> = T extends unknown ? T[keyof T] : never;
type KeysOf<T> = T extends unknown ? keyof T : never;

export type BlockName = KeysOf<ValuesOf<typeof TABLE>>;

/** The table, for reading by any page and name. */
export const rows: Readonly<Record<string, Readonly<Record<string, string>>>> = TABLE;

/** The texts of the blocks by their names, as far as the pages have the blocks of the table. */
const byName = new Map<string, string>();
for (const [page, names] of Object.entries(rows)) {
  const found = blocks.filter((each) => each.page === page);
  for (const [index, name] of Object.keys(names).entries()) {
    const text = found[index]?.text;
    if (text !== undefined) byName.set(name, text);
  }
}

/** The text of a block; of a file, without the line that names it. @throws if its page does not have it */
export function block(name: BlockName): string {
  const text = byName.get(name);
  if (text === undefined) throw new Error(`no page has the block ${name}`);
  return text.replace(new RegExp(`^(//|#) ${name.replaceAll('.', '\\.')}\n\n?`), '');
}

/** A block that is to be run where the service is not on the port that the page has. */
export function blockAt(name: BlockName, port: number): string {
  return block(name).replaceAll(/(localhost|127\.0\.0\.1):3000/g, `$1:${String(port)}`);
}
