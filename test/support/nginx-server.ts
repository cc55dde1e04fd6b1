/** A real nginx for tests, where it is installed: in the foreground, on a free port, with all its files in one directory. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.js';
import { until } from './until.js';

const program = ['nginx', '/usr/sbin/nginx'].find((name) => spawnSync(name, ['-v']).status === 0);

/** Why there is no nginx on this machine; undefined where there is one. */
export const nginxAbsence = program === undefined ? 'nginx is not installed' : undefined;

export class NginxServer {
  private constructor(
    /** Where it listens. */
    readonly url: string,
    private readonly process: ChildProcess,
    private readonly directory: string,
  ) {}

  /** @param ports of the servers on this machine that it stands in front of */
  static async start(ports: readonly number[]): Promise<NginxServer> {
    const directory = await mkdtemp(join(tmpdir(), 'concordat-nginx-'));
    const port = await freePort();
    await writeFile(join(directory, 'nginx.conf'), configuration(directory, port, ports));
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

  async stop(): Promise<void> {
    const exit = once(this.process, 'exit');
    this.process.kill();
    await exit;
    await rm(this.directory, { recursive: true });
  }
}

/** What the README shows for a deployment, with the paths of a test. */
function configuration(directory: string, port: number, ports: readonly number[]): string {
  // Root's nginx would start its workers as nobody, who may not enter the directory.
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `
${user}
daemon off;
worker_processes 1;
pid ${directory}/nginx.pid;
events { worker_connections 512; }
http {
  access_log off;
  ${temporary.map((name) => `${name}_temp_path ${directory}/${name};`).join('\n  ')}
  map $http_upgrade $connection_upgrade { default upgrade; '' ''; }
  upstream concordat {
    ${ports.map((each) => `server 127.0.0.1:${String(each)} max_fails=0;`).join('\n    ')}
    keepalive 16;
  }
  server {
    listen 127.0.0.1:${String(port)};
    location / {
      proxy_pass http://concordat;
      proxy_http_version 1.1;
      proxy_set_header Host $host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_set_header X-Forwarded-Proto $scheme;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection $connection_upgrade;
      proxy_next_upstream error timeout;
      proxy_read_timeout 1h;
    }
  }
}
`;
}
