/** The shipped files of a deployment, each checked with its own tool where it is installed, and against what the service has. */

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse, parseAllDocuments } from 'yaml';
import { readSettings, settingsTable } from '../../src/service/settings/settings.js';
import type { Setting } from '../../src/service/settings/setting.js';
import { DEPLOY, deployFile } from '../support/deploy-file.js';
import { freePort } from '../support/free-port.js';
import { until } from '../support/until.js';
import { useConsumers } from './consumer.js';
import { block } from './readme-blocks.js';

const names: readonly string[] = Object.values<Setting<unknown>>(settingsTable).map(({ name }) => name);
const isSetting = (name: string): boolean => names.includes(name.replace(/_FILE$/, ''));
const { stopDelaySeconds, stopTimeoutSeconds } = readSettings({});
const SECRETS = ['access-token-secret', 'database-url', 'refresh-token-secret'];

let directory: string;
beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'concordat-deploy-'))));
afterEach(() => {
  rmSync(directory, { recursive: true });
});

/** Runs a command of a page in the directory. */
function sh(script: string): string {
  const { status, stdout, stderr } = spawnSync('sh', ['-euc', script], { cwd: directory, encoding: 'utf8' });
  expect(status, stderr).to.equal(0);
  return stdout;
}

describe('deploy/: the units of systemd', () => {
  it('are those that the guide installs', () => {
    const words = block('install the units').trimEnd().split(/[ \n]/);
    const files = words.filter((word) => /^[a-z].*\./.test(word) && existsSync(DEPLOY + word));
    const own = ['concordat@.service', 'concordat@.socket', 'concordat-deliver.service', 'concordat.env'];
    expect(files).to.deep.equal([...own, 'nginx.conf']);
  });

  it('run as the user, and on the database, that the guide creates', () => {
    const create = block('create the user and the database');
    const user = /^User=(.*)$/m.exec(deployFile('concordat@.service'))?.[1] ?? '';
    const url = new URL(/^DATABASE_URL=(.*)$/m.exec(deployFile('concordat.env'))?.[1] ?? '');
    expect(deployFile('concordat-deliver.service')).to.include(`\nUser=${user}\n`);
    expect(create).to.match(new RegExp(`^useradd .* ${user}$`, 'm'));
    expect(create).to.include(`create role ${url.username} login`);
    expect(create).to.match(new RegExp(`createdb --owner=${url.username} .* ${url.pathname.slice(1)}$`, 'm'));
    expect(create).to.include(
      `DATABASE_URL=${url.protocol}//${url.username}:$password@${url.host}${url.pathname}`,
    );
    expect(block('create the tables')).to.include(`runuser -u ${user} -- `);
  });

  it('are started again without a limit, and have longer to start than a migration takes', () => {
    const unit = deployFile('concordat@.service');
    const valueOf = (key: string) => Number(new RegExp(`^${key}=(\\d+)$`, 'm').exec(unit)?.[1]);
    expect(valueOf('StartLimitIntervalSec')).to.equal(0);
    expect(valueOf('RestartSec')).to.be.above(0);
    const waits = Number(/--retry (\d+)/.exec(unit)?.[1]);
    expect(waits).to.be.at.least(600);
    expect(valueOf('TimeoutStartSec')).to.be.above(waits);
  });

  const absence =
    spawnSync('systemd-analyze', ['--version']).error === undefined ? '' : 'systemd is not installed';
  it(absence === '' ? 'are valid' : `are valid (skipped: ${absence})`, function () {
    if (absence !== '') this.skip();
    for (const kind of ['service', 'socket']) {
      const unit = deployFile(`concordat@.${kind}`)
        .replace('/usr/bin/node', process.execPath)
        .replace('/usr/bin/curl', '/bin/true')
        .replace('User=concordat', 'User=root');
      writeFileSync(join(directory, `concordat@3001.${kind}`), unit);
    }
    const units = ['service', 'socket'].map((kind) => join(directory, `concordat@3001.${kind}`));
    const { stderr } = spawnSync('systemd-analyze', ['verify', ...units], { encoding: 'utf8' });
    expect(stderr.split('\n').filter((line) => line.includes('concordat'))).to.deep.equal([]);
  });
});

describe('deploy/Containerfile', () => {
  const consumerWith = useConsumers();

  it('installs and starts a service that is healthy', async () => {
    const text = deployFile('Containerfile');
    const argument = (keyword: string): string => new RegExp(`^${keyword} (.*)$`, 'm').exec(text)?.[1] ?? '';
    const version = argument('ARG').replace('VERSION=', '');
    expect(argument('COPY')).to.equal('${VERSION}/ ./');
    expect(argument('RUN')).to.equal('npm ci --no-audit --no-fund');
    // The folder of the version, as the guide creates it.
    const [, , packages = ''] =
      /cd (\S+) && npm install --package-lock-only (@\S+)@/.exec(block('create the folder')) ?? [];
    expect(block('create the folder')).to.include(`${packages}@${version})`);
    const consumer = consumerWith([packages]);
    const variables = argument('ENV')
      .split(' ')
      .map((pair) => pair.split('='));
    for (const [name = ''] of variables) expect(names).to.include(name);
    expect(text).to.match(/^USER node$/m);
    const port = await freePort();
    const env: NodeJS.ProcessEnv = {
      PATH: process.env['PATH'],
      ...(Object.fromEntries(variables) as Record<string, string>),
    };
    const started = { ...env, PORT: String(port), AUTH_POLICY: 'protected', DATABASE_URL: 'memory:' };
    writeFileSync(join(directory, 'access'), 'a'.repeat(48));
    writeFileSync(join(directory, 'refresh'), 'r'.repeat(48));
    const files = {
      ACCESS_TOKEN_SECRET_FILE: join(directory, 'access'),
      REFRESH_TOKEN_SECRET_FILE: join(directory, 'refresh'),
    };
    const run = (command: string) => {
      const [program = '', ...parameters] = JSON.parse(command) as string[];
      expect(program).to.equal('node');
      return spawn(process.execPath, parameters, {
        cwd: consumer.directory,
        env: { ...started, ...files },
        stdio: 'ignore',
      });
    };
    const [, health = ''] = /^HEALTHCHECK .*?CMD (.*)$/m.exec(text) ?? [];
    const healthy = async (): Promise<boolean> => (await once(run(health), 'exit'))[0] === 0;
    expect(await healthy()).to.equal(false);
    const service = run(/^CMD (.*)$/m.exec(text)?.[1] ?? '');
    const exit = once(service, 'exit');
    try {
      await until('the container is healthy', healthy);
    } finally {
      service.kill('SIGTERM');
    }
    expect(await exit).to.deep.equal([0, null]);
  });
});

interface ComposeService {
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly depends_on?: Readonly<Record<string, unknown>>;
  readonly build?: { readonly dockerfile: string };
  readonly stop_grace_period?: string;
}

describe('deploy/compose.yaml', () => {
  const { services, secrets } = parse(deployFile('compose.yaml')) as {
    readonly services: Readonly<Record<string, ComposeService>>;
    readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  };

  it('gives the service settings that there are, and every secret as a file', () => {
    const { concordat } = services;
    const environment = Object.entries(concordat?.environment ?? {});
    expect(environment.map(([name]) => name).filter((name) => !isSetting(name))).to.deep.equal([]);
    const files = environment.filter(([name]) => name.endsWith('_FILE')).map(([, file]) => file);
    expect(files.sort()).to.deep.equal(SECRETS.map((name) => `/run/secrets/${name}`));
    expect([...(concordat?.secrets ?? [])].sort()).to.deep.equal(SECRETS);
    expect(Object.keys(services)).to.include.members(Object.keys(concordat?.depends_on ?? {}));
    expect(existsSync(DEPLOY + (concordat?.build?.dockerfile ?? ''))).to.equal(true);
    expect(parseInt(concordat?.stop_grace_period ?? '', 10)).to.be.above(
      stopDelaySeconds + stopTimeoutSeconds,
    );
  });

  it('has the secrets that the guide creates', () => {
    const commands = block('start the containers').replace(/^docker .*\n/m, '');
    sh(commands);
    const used = Object.values(services).flatMap((service) => service.secrets ?? []);
    expect(Object.keys(secrets).sort()).to.deep.equal([...new Set(used)].sort());
    expect(readdirSync(join(directory, 'secrets')).sort()).to.deep.equal(Object.keys(secrets).sort());
    for (const [name, { file }] of Object.entries(secrets)) expect(file).to.equal(`secrets/${name}`);
    const secret = (name: string): string => readFileSync(join(directory, 'secrets', name), 'utf8').trim();
    const settings = readSettings({
      NODE_ENV: 'production',
      DATABASE_URL: secret('database-url'),
      ACCESS_TOKEN_SECRET: secret('access-token-secret'),
      REFRESH_TOKEN_SECRET: secret('refresh-token-secret'),
    });
    expect(settings).to.be.an('object');
    expect(new URL(secret('database-url')).password).to.equal(secret('postgres-password'));
  });
});

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}
interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly selector: { readonly matchLabels?: unknown; readonly app?: unknown };
    readonly minAvailable?: number;
    readonly replicas?: number;
    readonly template?: {
      readonly metadata: { readonly labels: unknown };
      readonly spec: {
        readonly terminationGracePeriodSeconds: number;
        readonly containers: readonly {
          readonly env: readonly { readonly name: string; readonly value: string }[];
          readonly ports: readonly { readonly name: string }[];
          readonly startupProbe: Probe;
          readonly readinessProbe: Probe;
          readonly livenessProbe: Probe;
          readonly lifecycle: {
            readonly preStop: { readonly exec: { readonly command: readonly string[] } };
          };
          readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
        }[];
        readonly volumes: readonly {
          readonly name: string;
          readonly secret: { readonly secretName: string };
        }[];
      };
    };
  };
}

describe('deploy/kubernetes.yaml', () => {
  const manifests = parseAllDocuments(deployFile('kubernetes.yaml')).map((each) => each.toJS() as Manifest);
  const manifest = (kind: string): Manifest['spec'] => {
    const found = manifests.find((each) => each.kind === kind);
    if (found === undefined) throw new Error(`there is no ${kind}`);
    return found.spec;
  };
  const { template, replicas = 0, selector } = manifest('Deployment');
  const pod = template?.spec;
  const [container] = pod?.containers ?? [];

  it('selects the pods of the deployment', () => {
    expect(selector.matchLabels).to.deep.equal(template?.metadata.labels);
    expect(manifest('Service').selector).to.deep.equal(template?.metadata.labels);
    const budget = manifest('PodDisruptionBudget');
    expect(budget.selector.matchLabels).to.deep.equal(template?.metadata.labels);
    // A budget that allows no disruption would block the drain of a node.
    expect(budget.minAvailable).to.be.below(replicas);
  });

  it('probes what the service answers, and stops slowly enough', () => {
    const { startupProbe, readinessProbe, livenessProbe, ports, lifecycle } = container ?? expect.fail();
    for (const { httpGet } of [startupProbe, readinessProbe]) expect(httpGet.path).to.equal('/readyz');
    expect(livenessProbe.httpGet.path).to.equal('/healthz');
    for (const { httpGet } of [startupProbe, readinessProbe, livenessProbe]) {
      expect(ports.map(({ name }) => name)).to.include(httpGet.port);
    }
    const [program, seconds] = lifecycle.preStop.exec.command;
    expect(program).to.equal('sleep');
    const longest = Number(seconds) + stopDelaySeconds + stopTimeoutSeconds;
    expect(pod?.terminationGracePeriodSeconds).to.be.above(longest);
  });

  it('mounts the secrets that the guide creates, as files of settings', () => {
    const { env, volumeMounts } = container ?? expect.fail();
    expect(env.map(({ name }) => name).filter((name) => !isSetting(name))).to.deep.equal([]);
    const files = env.filter(({ name }) => name.endsWith('_FILE')).map(({ value }) => value);
    const mount = volumeMounts[0]?.mountPath ?? '';
    expect(files.sort()).to.deep.equal([...SECRETS, 'events-url'].sort().map((name) => `${mount}/${name}`));
    const [create = ''] = block('kubectl').split('\n');
    expect(create).to.include(`generic ${pod?.volumes[0]?.secret.secretName ?? ''} --from-file=secrets`);
    expect(create).to.include('--from-literal=events-url=');
  });
});

describe('deploy/: the process that delivers', () => {
  const program = /^CMD (.*)$/m.exec(deployFile('Containerfile'))?.[1] ?? '';
  const command = [...(JSON.parse(program) as string[]), 'deliver'];

  it('is beside services that only store events', () => {
    const { services } = parse(deployFile('compose.yaml')) as {
      readonly services: Readonly<Record<string, ComposeService & { readonly command?: unknown }>>;
    };
    expect(services['deliver']?.command).to.deep.equal(command);
    expect(services['concordat']?.environment).to.include({ OUTBOX: 'store' });
    const [service, delivery] = parseAllDocuments(deployFile('kubernetes.yaml'))
      .map((each) => each.toJS() as Manifest)
      .filter(({ kind }) => kind === 'Deployment')
      .map(({ spec }) => spec.template?.spec.containers[0] as object & { readonly env: unknown });
    expect(service?.env).to.deep.include({ name: 'OUTBOX', value: 'store' });
    expect(delivery).to.deep.include({ command });
    expect(deployFile('concordat-deliver.service')).to.include(`${command.slice(1).join(' ')}\n`);
  });
});
