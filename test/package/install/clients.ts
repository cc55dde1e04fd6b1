/** The README's client that @hey-api/openapi-ts generates from the contract: made, type-checked, and asked for what it should get. */

import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { block, blockAt } from '../readme-blocks.js';
import type { Check } from './checks.js';
import { type Workshop, parametersOf, projectWith } from './readme-installs.js';

const TSCONFIG = {
  compilerOptions: {
    target: 'es2023',
    module: 'nodenext',
    strict: true,
    skipLibCheck: true,
    types: ['node'],
    outDir: 'dist',
  },
};

export function clientChecks(workshop: Workshop): readonly Check[] {
  return [{ title: 'a client of the contract by hey-api', run: () => heyClient(workshop) }];
}

async function heyClient(workshop: Workshop): Promise<void> {
  const commands = block('generate with hey-api').trimEnd().split('\n');
  const [installs, runs] = [/^npm /, /^npx /].map((kind) => commands.filter((line) => kind.test(line)));
  const project = projectWith(workshop, ['@concordat/core']);
  // The generator writes imports that Node can follow where the project is set up for Node.
  project.write('tsconfig.json', JSON.stringify({ ...TSCONFIG, include: ['hey-client.ts'] }));
  for (const command of installs ?? []) {
    await project.succeeds(workshop.tool('npm11'), parametersOf(workshop, command));
  }
  const modules = join(project.directory, 'node_modules');
  for (const command of runs ?? []) {
    const [, , ...parameters] = command.split(/ +/);
    await project.succeeds(join(modules, '@hey-api/openapi-ts/bin/run.js'), parameters);
  }
  const server = await serveUsers();
  try {
    project.write('hey-client.ts', blockAt('hey-client.ts', (server.address() as AddressInfo).port));
    project.write('package.json', JSON.stringify({ type: 'module' }));
    await project.succeeds(join(modules, 'typescript/bin/tsc'), ['-p', '.']);
    const output = await project.succeeds('dist/hey-client.js', []);
    if (output !== 'Ada /api/users/1/orders\ntrue false\n') throw new Error(`the client says ${output}`);
  } finally {
    server.close();
  }
}

/** Answers as the service does, with one user and one page. */
async function serveUsers(): Promise<Server> {
  const user = { id: '1', name: 'Ada', links: { orders: '/api/users/1/orders' } };
  const page = {
    data: [user],
    pagination: { page: 1, limit: 10, total: 1, totalPages: 1, hasNext: false, hasPrev: false },
  };
  const server = createServer(({ url }, response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(url === '/api/users/1' ? user : page));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
