/** The README's blocks of code: every one has a row here that says which test runs it as it stands, or why none does. */

import { readFileSync } from 'node:fs';
import { ROOT } from '../architecture/source-tree.js';

export const README = readFileSync(`${ROOT}README.md`, 'utf8');

interface Row {
  /** How the block begins. */
  readonly start: string;
  /** The file beside this one that asks for it with `block`. */
  readonly runBy: string;
}

const ROWS = {
  start: { start: 'npm ci && npm start', runBy: 'first-minute.test.ts' },
  'start message': { start: 'Concordat listens on', runBy: 'first-minute.test.ts' },
  'sign in': { start: 'TOKEN=$(curl', runBy: 'first-minute.test.ts' },
  profile: { start: '{\n  "id": "1",', runBy: 'first-minute.test.ts' },
  watch: { start: 'curl -sNG localhost:3000/graphql', runBy: 'first-minute.test.ts' },
  'make a post': { start: 'curl -s localhost:3000/graphql', runBy: 'first-minute.test.ts' },
  'post added': { start: 'event: next\n', runBy: 'first-minute.test.ts' },
  requests: { start: 'curl -i localhost:3000/api/users/1\n', runBy: 'first-minute.test.ts' },
  'install the service': { start: 'npm install ../concordat/concordat-', runBy: 'installed.test.ts' },
  'app.ts': { start: '// app.ts\n', runBy: 'snippets.test.ts' },
  'rest-client.ts': { start: '// rest-client.ts\n', runBy: 'typed-clients.test.ts' },
  'client.codegen.ts': { start: '// client.codegen.ts\n', runBy: 'typed-clients.test.ts' },
  'graphql-client.ts': { start: '// graphql-client.ts\n', runBy: 'typed-clients.test.ts' },
  'generate the client': {
    start: 'npm install openapi-fetch',
    runBy: 'typed-clients.test.ts',
  },
  'install the engine': { start: 'npm install ../concordat/concordat-', runBy: 'own-contract.test.ts' },
  overrides: { start: '{ "overrides"', runBy: 'own-contract.test.ts' },
  'openapi.yaml': { start: '# openapi.yaml\n', runBy: 'own-contract.test.ts' },
  'codegen.ts': { start: '// codegen.ts\n', runBy: 'own-contract.test.ts' },
  'server.ts': { start: '// server.ts\n', runBy: 'own-contract.test.ts' },
  greetings: { start: 'curl -s localhost:3000/greetings', runBy: 'own-contract.test.ts' },
  'schema.graphql': { start: '# schema.graphql\n', runBy: 'own-contract.test.ts' },
  'graphql-server.ts': { start: '// graphql-server.ts\n', runBy: 'own-contract.test.ts' },
  countdown: { start: 'curl -sG localhost:3000/graphql', runBy: 'own-contract.test.ts' },
  'lines.ts': { start: '// lines.ts\n', runBy: 'snippets.test.ts' },
  'run lines': { start: "echo '{", runBy: 'snippets.test.ts' },
  'store.test.ts': { start: '// store.test.ts\n', runBy: 'snippets.test.ts' },
  house: { start: 'openapi.yaml, schema.graphql ', runBy: 'readme.test.ts' },
  unit: { start: '# /etc/systemd/system/concordat@.service\n', runBy: 'deployment.test.ts' },
  environment: { start: '# /etc/concordat.env\n', runBy: 'deployment.test.ts' },
  nginx: { start: '# /etc/nginx/conf.d/concordat.conf\n', runBy: 'deployment.test.ts' },
  // Not run: a test has no systemd. What the lines name, the unit and its instances, is in the two before.
  systemctl: { start: 'systemctl enable --now concordat@3001', runBy: 'deployment.test.ts' },
} as const satisfies Readonly<Record<string, Row>>;

export type BlockName = keyof typeof ROWS;

/** The rows in the order of the README. */
export const rows: readonly (Row & { readonly name: string })[] = Object.entries(ROWS).map(([name, row]) => ({
  name,
  ...row,
}));

/** Every block of the README, without its fences. */
export const blocks: readonly string[] = [...README.matchAll(/^```\w*\n([^]*?)^```$/gm)].map(
  ([, text = '']) => text,
);

/** The text of a block; of a file, without the line that names it. */
export function block(name: BlockName): string {
  const text = blocks[Object.keys(ROWS).indexOf(name)] ?? '';
  return text.replace(new RegExp(`^(//|#) ${name.replaceAll('.', '\\.')}\\n\\n?`), '');
}

/** A block that is to be run where the service is not on the port that the README has. */
export function blockAt(name: BlockName, port: number): string {
  return block(name).replaceAll(/(localhost|127\.0\.0\.1):3000/g, `$1:${String(port)}`);
}
