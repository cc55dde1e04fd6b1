/** The READMEs' way from a contract to a server, with the packages that they install. */

import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { type Consumer, useConsumers } from './consumer.js';
import { installed, programCommands } from './installed-packages.js';
import { type BlockName, block, blockAt } from './readme-blocks.js';
import { serving } from './serving.js';

const run = promisify(execFile);

describe('README: a contract of your own', () => {
  const consumerWith = useConsumers();

  /** Writes blocks as files of a project. */
  function write(project: Consumer, ...names: readonly BlockName[]): void {
    for (const name of names) project.write(name, block(name));
  }

  /** Runs a program of the generator. @returns its status, and its output where it fails */
  function concordat(project: Consumer, ...parameters: readonly string[]) {
    const { status, stdout, stderr } = project.node('node_modules/.bin/concordat', ...parameters);
    return { status, text: status === 0 ? '' : stdout + stderr };
  }

  const DONE = { status: 0, text: '' };

  it('becomes a server that runs without the generator', async () => {
    const [runtime, tools] = installed(block('install the runtime')).map(({ names }) => names);
    const team = consumerWith([...(runtime ?? []), ...(tools ?? [])]);
    const deployed = consumerWith(runtime ?? []);
    write(team, 'openapi.yaml', 'engine.ts', 'server.ts');
    for (const [program, ...parameters] of programCommands(block('generate the contract'))) {
      expect(program).to.equal('concordat');
      expect(concordat(team, ...parameters)).to.deep.equal(DONE);
    }
    expect(team.typeProblems('server.ts')).to.deep.equal([]);

    write(team, 'hello.ts');
    expect(team.typeProblems('hello.ts')).to.deep.equal([]);
    write(team, 'greet.ts');
    expect(team.typeProblems('greet.ts')).to.deep.equal([]);
    for (const name of ['server.ts', 'hello.ts', 'greet.ts']) team.compile(name, 'dist');
    cpSync(join(team.directory, 'dist'), join(deployed.directory, 'dist'), { recursive: true });
    await serving(deployed, 'dist/hello.js', async (port) => {
      const answer = await fetch(`http://127.0.0.1:${String(port)}/greetings/Ada`);
      expect(await answer.json()).to.deep.equal({ text: 'Hello, Ada' });
      const url = `http://127.0.0.1:${String(port)}`;
      const { stdout } = await run(process.execPath, ['dist/greet.js', url], { cwd: deployed.directory });
      expect(stdout).to.equal('Hello, Ada\n');
    });
    await serving(deployed, 'dist/server.js', async (port) => {
      const requests = blockAt('greetings', port).trimEnd().split('\n');
      const [greeting, refusal] = requests.map((line) => spawnSync('sh', ['-c', line], { encoding: 'utf8' }));
      expect(greeting?.stdout).to.equal('{"text":"Hello, Ada"}');
      expect(refusal?.stdout).to.include('path/name must NOT have more than 5 characters');
      const { status } = await fetch(`http://127.0.0.1:${String(port)}/greetings/Everybody`);
      expect(status).to.equal(400);
    });
  });

  it('does not compile with a response that the contract does not declare', () => {
    const team = consumerWith(installed(block('install the runtime')).flatMap(({ names }) => names));
    write(team, 'openapi.yaml');
    expect(concordat(team, 'generate', '--openapi', 'openapi.yaml').status).to.equal(0);
    team.write('engine.ts', block('engine.ts').replace('status: 200', 'status: 201'));
    expect(team.typeProblems('engine.ts')).to.have.length(1);
    team.write('engine.ts', block('engine.ts').replace(/^ {4}getGreeting.*\n/m, ''));
    expect(team.typeProblems('engine.ts').join()).to.include('getGreeting');
  });

  it('is served from its examples where it has no handlers yet', () => {
    const team = consumerWith([
      '@concordat/tools',
      ...installed(block('install the runtime')).flatMap(({ names }) => names),
    ]);
    write(team, 'openapi.yaml', 'partial.ts');
    expect(concordat(team, 'generate', '--openapi', 'openapi.yaml')).to.deep.equal(DONE);
    expect(team.typeProblems('partial.ts')).to.deep.equal([]);
    team.compile('partial.ts', '.');
    const { stdout, stderr } = team.run(`
      import { memoryRequest } from '@concordat/runtime';
      import { engine } from './partial.js';
      const { status, headers, body } = await engine(memoryRequest({ path: '/greetings/Ada' }));
      console.log(status, headers['X-Mock'], body);
    `);
    expect(stdout).to.equal('200 true {"text":"text"}\n');
    expect(stderr).to.equal('These operations answer with the examples of the contract: getGreeting\n');
  });

  it("is served with the context of the application's own middleware", async () => {
    const team = consumerWith(installed(block('install the runtime')).flatMap(({ names }) => names));
    write(team, 'openapi.yaml', 'signed-in.ts');
    expect(concordat(team, 'generate', '--openapi', 'openapi.yaml')).to.deep.equal(DONE);
    expect(team.typeProblems('signed-in.ts')).to.deep.equal([]);
    team.compile('signed-in.ts', '.');
    await serving(team, 'signed-in.js', async (port) => {
      const response = await fetch(`http://127.0.0.1:${String(port)}/greetings/Ada`);
      expect(await response.json()).to.deep.equal({ text: 'Hello, Ada, from Grace' });
    });
  });

  it('is served by a Worker', () => {
    const team = consumerWith(installed(block('install the runtime')).flatMap(({ names }) => names));
    write(team, 'openapi.yaml', 'engine.ts', 'worker.ts');
    expect(concordat(team, 'generate', '--openapi', 'openapi.yaml')).to.deep.equal(DONE);
    expect(team.typeProblems('worker.ts')).to.deep.equal([]);
    team.compile('worker.ts', '.');
    const { stdout } = team.run(`
      import worker from './worker.js';
      const response = await worker.fetch(new Request('https://example.com/greetings/Ada'), {}, {});
      console.log(response.status, await response.text());
    `);
    expect(stdout).to.equal('200 {"text":"Hello, Ada"}\n');
  });

  it('answers callers and errors as the contract says', () => {
    const team = consumerWith(installed(block('install the runtime')).flatMap(({ names }) => names));
    write(team, 'notes.yaml', 'security.ts', 'notes.ts');
    expect(concordat(team, 'generate', '--openapi', 'notes.yaml')).to.deep.equal(DONE);
    expect(team.typeProblems('notes.ts')).to.deep.equal([]);
    team.compile('notes.ts', '.');
    const { stdout, stderr } = team.run(`
      import { memoryRequest } from '@concordat/runtime';
      import { engine } from './notes.js';
      const requests = [
        ['GET', '/notes/1', 'token-of-grace'],
        ['GET', '/notes/2', 'token-of-ada'],
        ['GET', '/notes/1', undefined],
        ['GET', '/notes/1', 'nonsense'],
        ['DELETE', '/notes/2', 'token-of-grace'],
        ['DELETE', '/notes/2', 'token-of-ada'],
        ['DELETE', '/notes/1', 'token-of-ada'],
      ];
      for (const [method, path, token] of requests) {
        const headers = token && { authorization: 'Bearer ' + token };
        const { status, body = '' } = await engine(memoryRequest({ method, path, headers: headers ?? {} }));
        console.log(status, body);
      }
    `);
    const answers = stdout.trimEnd().split('\n');
    const statuses = answers.map((answer) => Number(answer.split(' ')[0]));
    expect(statuses).to.deep.equal([200, 404, 401, 401, 403, 204, 500]);
    expect(answers[0]).to.equal('200 Buy milk, Grace');
    expect(JSON.parse(answers[1]?.slice(4) ?? '')).to.deep.equal(JSON.parse(block('unknown note')));
    expect(answers[2]).to.include('Sign in first');
    expect(answers[6]).not.to.include('disk');
    expect(stderr).to.include('DELETE /notes/1 Error: the disk is full');
  });

  it('is a GraphQL schema too, with subscriptions', async () => {
    const text = block('generate the schema');
    const team = consumerWith(installed(text).flatMap(({ names }) => names));
    write(team, 'schema.graphql', 'graphql-server.ts');
    for (const [, ...parameters] of programCommands(text)) {
      expect(concordat(team, ...parameters)).to.deep.equal(DONE);
    }
    expect(team.typeProblems('graphql-server.ts')).to.deep.equal([]);

    team.compile('graphql-server.ts', '.');
    await serving(team, 'graphql-server.js', async (port) => {
      const requests = blockAt('countdown', port).trimEnd().split('\n');
      const [greeting, countdown] = requests.map(
        (line) => spawnSync('sh', ['-c', line], { encoding: 'utf8' }).stdout,
      );
      expect(greeting).to.equal('{"data":{"greeting":"Hello, Ada"}}');
      const counts = [...(countdown ?? '').matchAll(/^data: (.+)$/gm)].map(([, data]) => data);
      expect(counts).to.deep.equal(['{"data":{"countdown":2}}', '{"data":{"countdown":1}}']);
      const socket = createClient({
        url: `ws://127.0.0.1:${String(port)}/graphql`,
        webSocketImpl: WebSocket,
      });
      const query = 'subscription { countdown(from: 1) }';
      const results: unknown[] = [];
      for await (const result of socket.iterate({ query })) results.push(result);
      expect(results).to.deep.equal([{ data: { countdown: 1 } }]);
      await socket.dispose();
    });
  });

  it('streams items and the parts of forms', async () => {
    const team = consumerWith(installed(block('install the runtime')).flatMap(({ names }) => names));
    write(team, 'streams.yaml', 'streams.ts');
    expect(concordat(team, 'generate', '--openapi', 'streams.yaml')).to.deep.equal(DONE);
    expect(team.typeProblems('streams.ts')).to.deep.equal([]);
    team.compile('streams.ts', '.');
    await serving(team, 'streams.js', async (port) => {
      const { stdout } = spawnSync('sh', ['-c', blockAt('add entries', port)], { encoding: 'utf8' });
      expect(stdout).to.equal('data: {"name":"a"}\n\ndata: {"name":"b"}\n\n');
      const form = new FormData();
      form.append('title', 'Two photos');
      for (const name of ['a', 'b']) form.append('photo', new File(['12345'], name, { type: 'image/jpeg' }));
      const photos = await fetch(`http://127.0.0.1:${String(port)}/photos`, { method: 'POST', body: form });
      expect([photos.status, await photos.json()]).to.deep.equal([200, 10]);
    });
  });

  it('says which webhooks its service sends', async () => {
    const team = consumerWith(['@concordat/runtime', 'concordat', 'typescript', '@types/node']);
    write(team, 'hooks.yaml', 'send.ts');
    for (const [, ...parameters] of programCommands(block('generate the webhooks'))) {
      expect(concordat(team, ...parameters)).to.deep.equal(DONE);
    }
    expect(team.typeProblems('send.ts')).to.deep.equal([]);
    team.compile('send.ts', '.');
    const bodies: unknown[] = [];
    const receiver = createServer((request, response) => {
      void json(request).then((body) => {
        bodies.push(body);
        response.writeHead(request.url === '/gone' ? 410 : 204).end();
      });
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const { port } = receiver.address() as AddressInfo;
    for (const [path, output] of [
      ['/', 'taken\n'],
      ['/gone', 'not wanted\n'],
    ] as const) {
      const url = `http://127.0.0.1:${String(port)}${path}`;
      const { stdout } = await run(process.execPath, ['send.js', url], { cwd: team.directory });
      expect(stdout).to.equal(output);
    }
    expect(bodies).to.deep.equal([{ name: 'Rex' }, { name: 'Rex' }]);
    receiver.close();
  });

  it('is generated by a call, which writes what the program checks with codegen.ts', () => {
    const team = consumerWith(['concordat', '@concordat/tools', 'typescript', '@types/node']);
    write(team, 'openapi.yaml', 'schema.graphql', 'generate.ts');
    write(team, 'codegen.ts', 'sections.codegen.ts', 'apis.codegen.ts');
    const configurations = ['', 'sections.', 'apis.'].map((name) => `${name}codegen.ts`);
    expect(team.typeProblems('generate.ts', ...configurations)).to.deep.equal([]);
    for (const file of configurations)
      expect(concordat(team, 'config', '--config', file)).to.deep.equal(DONE);
    for (const [, ...parameters] of programCommands(block('list settings')))
      expect(concordat(team, ...parameters)).to.deep.equal(DONE);
    team.compile('generate.ts', '.');
    const { status, stderr } = team.node('generate.js');
    expect([status, stderr]).to.deep.equal([0, '']);
    expect(concordat(team, 'check')).to.deep.equal(DONE);

    team.write('openapi.yaml', block('openapi.yaml').replace('maxLength: 5', "pattern: '['"));
    expect(team.node('generate.js').stderr).to.match(/^bad-pattern openapi\.yaml \d+ #\/paths\//);
    expect(concordat(team, 'check').status).to.equal(1);
  });
});
