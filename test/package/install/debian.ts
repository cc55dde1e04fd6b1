/** Runs the guide `deploy.md` whole: its commands in an empty Debian, from the first package to the first request through nginx. */

import { execFile, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { deployFile } from '../../support/deploy-file.js';
import { block } from '../readme-blocks.js';
import type { Check } from './checks.js';
import type { Workshop } from './readme-installs.js';
import { npm } from './tools.js';

const TOOLS = ['debootstrap', 'unshare', 'ip', 'chroot'];

/** Why the guide cannot be run here; empty where it can. */
function absence(): string {
  if (process.getuid?.() !== 0) return 'only root can create a root';
  const missing = TOOLS.filter((tool) => spawnSync('which', [tool]).status !== 0);
  if (missing.length > 0) return `${missing.join(', ')} not installed`;
  if (!/^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'))) return 'this is no Debian';
  return spawnSync('unshare', ['--mount', '--pid', '--net', '--fork', 'true']).status === 0
    ? ''
    : 'there are no namespaces here';
}

/** The guide takes minutes, so it is no part of a quick run. */
export function debianChecks({ place, tarballs }: Workshop, isQuick: boolean): readonly Check[] {
  if (isQuick) return [];
  const reason = absence();
  const title = 'deploy.md leads from an empty Debian to the first request';
  if (reason !== '') return [{ title: `${title} (skipped: ${reason})`, run: () => Promise.resolve() }];
  return [{ title, run: () => deploy(place, [...tarballs.values()]) }];
}

/** Nothing but a mirror that does not answer takes longer. */
const TIMEOUT_MS = 600_000;

const execute = promisify(execFile);

/** @throws with the end of what the command wrote, unless it exits with 0 */
async function run(command: string, ...parameters: readonly string[]): Promise<string> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C.UTF-8' };
  const options = { timeout: TIMEOUT_MS, maxBuffer: 1 << 26, env };
  return await execute(command, parameters, options).then(
    ({ stdout }) => stdout,
    (error: unknown) => {
      const { stdout = '', stderr = '', code } = error as { stdout?: string; stderr?: string; code?: number };
      throw new Error(`${command} exits with ${String(code)}:\n${(stdout + stderr).slice(-4000)}`);
    },
  );
}

async function deploy(place: string, tarballs: readonly string[]): Promise<void> {
  const root = mkdtempSync(join(place, 'debian-'));
  try {
    await prepare(root, tarballs);
    writeFileSync(join(root, 'walk.sh'), walk(tarballs.map((tarball) => `/packages/${basename(tarball)}`)));
    // No network: what listens cannot meet the servers of this machine, and ends with the namespace of its processes.
    const enter = `ip link set lo up; mount -t proc proc ${root}/proc; mount --rbind /dev ${root}/dev; exec chroot ${root} sh -eu /walk.sh`;
    const namespaces = ['--mount', '--pid', '--net', '--fork', '--kill-child'];
    await run('unshare', ...namespaces, 'sh', '-euc', enter);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** An empty Debian of the release that runs here, from its mirror, with Node, as the guide assumes, and with what it downloads. */
async function prepare(root: string, tarballs: readonly string[]): Promise<void> {
  chmodSync(root, 0o755);
  const release = /^VERSION_CODENAME=(.*)$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? 'stable';
  const uris = await run('apt-get', 'indextargets', '--format', '$(REPO_URI)');
  const mirror = uris.split('\n').find((uri) => /\/debian\/?$/.test(uri)) ?? 'http://deb.debian.org/debian';
  await run('debootstrap', '--variant=minbase', '--include=ca-certificates', release, root, mirror);
  const modules = dirname(dirname(dirname(npm)));
  cpSync(process.execPath, join(root, 'usr/bin/node'));
  cpSync(join(modules, 'npm'), join(root, 'usr/lib/node_modules/npm'), { recursive: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/bin/npm'));

  const [packages = ''] = /^apt-get install .*$/m.exec(block('create the user and the database')) ?? [];
  await run('chroot', root, 'sh', '-euc', `apt-get update; ${packages} --download-only`);
  // Without systemd, packages start their servers only where this file allows it.
  writeFileSync(join(root, 'usr/sbin/policy-rc.d'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
  for (const folder of ['packages', 'filled']) mkdirSync(join(root, folder));
  for (const tarball of tarballs) cpSync(tarball, join(root, 'packages', basename(tarball)));
  const cached = ['--ignore-scripts', '--no-audit', '--no-fund', `--cache=${root}/root/.npm`];
  const filled = join(root, 'filled');
  await run(process.execPath, npm, 'install', ...cached, `--prefix=${filled}`, ...tarballs);
}

/** The commands of the guide, but for those of systemd, whose part is taken by what its unit says. */
function walk(tarballs: readonly string[]): string {
  const unit = deployFile('concordat@.service');
  const valueOf = (key: string) =>
    new RegExp(`^${key}=(.*)$`, 'm').exec(unit)?.[1]?.replaceAll('%i', '$1') ?? '';
  const replaced = 'npm install @concordat/service@0.3.0';
  const install = block('install the units');
  if (!install.includes(`${replaced}\n`)) throw new Error(`the guide has no ${replaced}`);
  const name = 'api.example.com';
  const ask = `curl -fsS --cacert certificate --resolve ${name}:443:127.0.0.1`;
  return `
export DEBIAN_FRONTEND=noninteractive npm_config_offline=true
create() {
${block('create the user and the database')}
}
trap 'tail -n 60 /created' EXIT
create > /created
grep ^DATABASE_URL= /created

${install.replace(replaced, `npm install ${tarballs.join(' ')}`)}
database=$(grep ^DATABASE_URL= /created)
sed -i "s|^DATABASE_URL=.*|$database|; s|^ADMIN_EMAIL=.*|ADMIN_EMAIL=ada@example.com|" /etc/concordat.env
for secret in ACCESS_TOKEN_SECRET REFRESH_TOKEN_SECRET ADMIN_PASSWORD; do
  sed -i "s|^$secret=.*|$secret=$(openssl rand -hex 32)|" /etc/concordat.env
done
if grep … /etc/concordat.env; then exit 1; fi
mkdir -p /etc/letsencrypt/live/${name}
cd /etc/letsencrypt/live/${name}
openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=${name} -addext subjectAltName=DNS:${name} -days 1 -keyout privkey.pem -out fullchain.pem

cd /
${block('create the tables')}

start() (
  set -a
  . /etc/concordat.env
  export ${valueOf('Environment')}
  cd ${valueOf('WorkingDirectory')}
  runuser -u ${valueOf('User')} -- ${valueOf('ExecStart')} > /var/log/concordat-$1.log 2>&1 || cat /var/log/concordat-$1.log &
)
ready() {
  ${valueOf('ExecStartPost')}
}
for port in 3001 3002; do start $port; done
for port in 3001 3002; do ready $port; done
service nginx restart

cd /tmp
cp /etc/letsencrypt/live/${name}/fullchain.pem certificate
password=$(sed -n 's/^ADMIN_PASSWORD=//p' /etc/concordat.env)
${ask} -H 'Content-Type: application/json' -d "{\\"email\\":\\"ada@example.com\\",\\"password\\":\\"$password\\"}" https://${name}/api/auth/login > answer
token=$(node -p 'JSON.parse(fs.readFileSync("answer", "utf8")).accessToken')
${ask} -H "Authorization: Bearer $token" https://${name}/api/users > users
grep -q '"email":"ada@example.com"' users
`;
}
