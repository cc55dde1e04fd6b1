import { readdirSync } from 'node:fs';
import { NewProject } from './test/codegen/cli/new-project.js';
import { createServer } from 'node:http';
import { nodeTransport } from '@concordat/runtime/node';
import { temporaryPackage } from './test/codegen/generated-contract.js';
import { handlerOf, sandboxOf } from './src/tools/mock/mock-handlers.js';
import { sampleRequests } from './src/tools/mock/sample-requests.js';
import { runContract } from './src/tools/running/running-contract.js';
import { verifyContracts } from './src/tools/verify/verify-contracts.js';
const dir = '/work/i1/test/fixtures/contracts/frameworks/';
for (const name of readdirSync(dir)) {
  if (process.argv[2] && !name.includes(process.argv[2])) continue;
  const t0 = process.cpuUsage();
  try {
    const p = new NewProject(await temporaryPackage());
    const { exitCode, stdout, stderr } = await p.concordat('init', '--json', dir + name);
    console.log('==', name, exitCode, stderr, exitCode === 0 ? JSON.parse(stdout).notes : '');
    const file = dir + name;
    const running = await runContract(file);
    const samples = await sampleRequests(file);
    for (const [id, s] of Object.entries(samples)) if (!s) console.log('  no sample', id);
    const server = createServer(nodeTransport(handlerOf(file, running, undefined, sandboxOf(running))));
    await new Promise<void>((r) => server.listen(0, '127.0.0.1', r));
    const { securitySchemes } = running.model;
    const report = await verifyContracts({ graphqlPath: '/graphql', headers: {}, requests: Number(process.argv[3] ?? 1000), seconds: 50, url: `http://127.0.0.1:${(server.address() as any).port}`, openapi: file,
      credentials: Object.fromEntries(Object.keys(securitySchemes).map((e) => [e, 'ada:secret'])), seed: 1, warn: [], protect: [] });
    console.log('  requests', report.requests, report.violations.map((v) => JSON.stringify(v).slice(0, 600)));
    server.close(); server.closeAllConnections();
  } catch (e) { console.log('  THREW', name, (e as Error).message.slice(0, 800)); }
  const u = process.cpuUsage(t0); console.log('  cpu', (u.user + u.system) / 1e6);
}
