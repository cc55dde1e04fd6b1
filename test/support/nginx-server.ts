/** A real nginx for tests, where it is installed: in the foreground, on a free port, with all its files in one directory. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deployFile } from './deploy-file.js';
import { freePort } from './free-port.js';
import { until } from './until.js';

const program = ['nginx', '/usr/sbin/nginx'].find((name) => spawnSync(name, ['-v']).status === 0);

/** Why nginx is not available; undefined when it is. */
export const nginxAbsence = program === undefined ? 'nginx is not installed' : undefined;

export class NginxServer {
  private constructor(
    /** Its URL. */
    readonly url: string,
    private readonly process: ChildProcess,
    private readonly directory: string,
  ) {}

  /** @param http - what its `http` block holds, for the port that it listens on and the directory of its files */
  static async start(http: (port: number, directory: string) => string): Promise<NginxServer> {
    const directory = await mkdtemp(join(tmpdir(), 'concordat-nginx-'));
    const port = await freePort();
    await writeFile(join(directory, 'nginx.conf'), configuration(directory, http(port, directory)));
    const flags = ['-e', join(directory, 'error.log'), '-p', directory, '-c', join(directory, 'nginx.conf')];
    const child = spawn(program ?? 'nginx', flags, { stdio: ['ignore', 'ignore', 'inherit'] });
    const url = `http://127.0.0.1:${String(port)}`;
    await until('nginx listens', () =>
      fetch(`${url}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
    return new NginxServer(url, child, directory);
  }

  /** What it has logged of requests. */
  log(): Promise<string> {
    return readFile(join(this.directory, 'concordat.log'), 'utf8');
  }

  /** Its reasons for answering 502. */
  errors(): Promise<string> {
    return readFile(join(this.directory, 'error.log'), 'utf8');
  }

  async stop(): Promise<void> {
    const exit = once(this.process, 'exit');
    this.process.kill();
    await exit;
    await rm(this.directory, { recursive: true });
  }
}

/** The configuration of a deployment of two servers, without certificates and with the ports of a test. */
export function deployment(ports: readonly [number, number]): (port: number, directory: string) => string {
  return (port, directory) =>
    deployFile('nginx.conf')
      .replace(/^ *ssl_certificate.*\n/gm, '')
      .replace('/var/log/nginx', directory)
      .replace('listen 443 ssl;', `listen 127.0.0.1:${String(port)};`)
      .replace(/127\.0\.0\.1:300(\d)/g, (_, number) => `127.0.0.1:${String(ports[Number(number) - 1])}`);
}

function configuration(directory: string, http: string): string {
  // As root, nginx would run its workers as the user nobody, who may not enter the directory.
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `
${user}
daemon off;
worker_processes 1;
pid ${directory}/nginx.pid;
events { worker_connections 512; }
http {
  ${temporary.map((name) => `${name}_temp_path ${directory}/${name};`).join('\n  ')}
${http}
}
`;
}
