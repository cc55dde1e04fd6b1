/** Somebody who has Node, npm and curl, an empty home, and a fresh copy of the repository. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { ROOT } from '../architecture/source-tree.js';
import { atTerminal } from '../support/pseudo-terminal.js';
import { secludedPlace } from './consumer.js';
import { packages } from './packages.js';

/** What a shell needs, what the README asks for, and Python for a terminal. */
const PROGRAMS = ['sh', 'bash', 'cat', 'mkdir', 'node', 'npm', 'npx', 'curl', 'python3'];

export class Newcomer {
  readonly #home = realpathSync(mkdtempSync(join(secludedPlace(), 'concordat-newcomer-')));
  readonly #started: ChildProcess[] = [];
  /** The repository, as `git clone` and `npm ci` leave it. */
  readonly checkout = join(this.#home, 'concordat');

  /** Instead of `npm ci`, which asks a registry, the clone gets the packages and the build that this checkout got from it. */
  constructor() {
    const left = readFileSync(`${ROOT}.gitignore`, 'utf8')
      .split('\n')
      .map((line) => line.replace(/\/$/, ''));
    cpSync(ROOT, this.checkout, {
      recursive: true,
      filter: (file) => basename(file) !== '.git' && !left.includes(basename(file)),
    });
    linkPackages(this.checkout);
    for (const { folder, manifest } of packages) {
      cpSync(join(ROOT, folder, 'dist'), join(this.checkout, folder, 'dist'), { recursive: true });
      symlinkSync(
        join(this.checkout, folder),
        reserve(join(this.checkout, 'node_modules', manifest.name)),
        'junction',
      );
      for (const [program, file] of Object.entries(manifest.bin ?? {})) {
        const link = reserve(join(this.checkout, 'node_modules/.bin', program));
        symlinkSync(join(this.checkout, folder, file), link);
      }
    }
    mkdirSync(join(this.#home, 'bin'));
    for (const program of PROGRAMS) symlinkSync(findProgram(program), join(this.#home, 'bin', program));
  }

  /**
   * Starts a shell in which commands are typed; what they started ends with `leave`.
   *
   * @param isTerminal - whether its programs find a terminal, which also shows what is typed
   */
  terminal(env: Readonly<Record<string, string>> = {}, isTerminal = false): Shell {
    const command = ['bash', '--norc'];
    const [file = '', ...rest] = isTerminal ? atTerminal(command) : command;
    const child = spawn(file, rest, {
      cwd: this.checkout,
      env: { HOME: this.#home, PATH: join(this.#home, 'bin'), ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    });
    this.#started.push(child);
    return new Shell(child, isTerminal ? '\r\n' : '\n');
  }

  async leave(): Promise<void> {
    for (const child of this.#started) {
      const exit = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
      // With all that it started: a terminal that is closed.
      if (child.pid !== undefined && exit) process.kill(-child.pid, 'SIGKILL');
      await exit;
    }
    rmSync(this.#home, { recursive: true, force: true });
  }
}

/** The packages that `npm ci` has installed, but for those of this repository. */
function linkPackages(checkout: string): void {
  const installed = join(ROOT, 'node_modules');
  for (const name of readdirSync(installed)) {
    if (/^\.|concordat$/.test(name)) continue;
    symlinkSync(join(installed, name), reserve(join(checkout, 'node_modules', name)), 'junction');
  }
}

function reserve(path: string): string {
  mkdirSync(dirname(path), { recursive: true });
  return path;
}

export class Shell {
  #output = '';

  constructor(
    private readonly child: ChildProcess,
    lineEnd: string,
  ) {
    for (const stream of [child.stdout, child.stderr]) {
      stream
        ?.setEncoding('utf8')
        .on('data', (chunk: string) => (this.#output += chunk.replaceAll(lineEnd, '\n')));
    }
  }

  /** Everything that is to be read in it, of its programs and their failures. */
  get output(): string {
    return this.#output;
  }

  /** Types commands, and does not wait for their end. */
  type(commands: string): void {
    this.child.stdin?.write(commands);
  }

  /** Types commands, and waits until all are done. @returns what they wrote */
  async run(commands: string): Promise<string> {
    const from = this.#output.length;
    const mark = `done-${String(from)}`;
    this.type(`${commands}\necho; echo ${mark}\n`);
    while (!this.#output.includes(`\n${mark}\n`)) {
      if (this.child.exitCode !== null) throw new Error(`the shell has ended:\n${this.#output}`);
      await once(this.child.stdout ?? this.child, 'data');
    }
    return this.#output.slice(from, this.#output.indexOf(`\n${mark}\n`, from));
  }
}

/** Why the README cannot be followed on this machine; undefined where it can. */
export const programAbsence = PROGRAMS.filter((name) => whereIs(name) === undefined)
  .map((name) => `${name} is not installed`)
  .join(', ');

function findProgram(name: string): string {
  return whereIs(name) ?? join(dirname(process.execPath), name);
}

function whereIs(name: string): string | undefined {
  if (name === 'node') return process.execPath;
  const folders = [dirname(process.execPath), ...(process.env['PATH'] ?? '').split(delimiter)];
  // `npm test` puts this package's own programs before all others.
  return folders
    .filter((folder) => !folder.includes('node_modules'))
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
}
