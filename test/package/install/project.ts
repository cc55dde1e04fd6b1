/** An empty folder in which somebody installs packages from npm's registry and runs them. */

import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { secludedPlace } from '../consumer.js';

/** Nothing here takes longer, but for a registry that does not answer. */
const TIMEOUT_MS = 600_000;

/** The environment of a user: what `npm run` adds to it is left out. */
const environment: NodeJS.ProcessEnv = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(npm_(?!config_cache)|NODE_OPTIONS$)/i.test(name)),
);

export interface Output {
  readonly status: number;
  /** What it wrote, to both streams. */
  readonly text: string;
}

/** Makes the folders of one run below one place, which whoever made it removes. */
export function makePlace(): string {
  return realpathSync(mkdtempSync(join(secludedPlace(), 'concordat-install-')));
}

export class Project {
  readonly directory: string;

  /** @param overrides - what npm is to install where a package asks for one of these names */
  constructor(place: string, overrides: Readonly<Record<string, string>> = {}) {
    this.directory = mkdtempSync(join(place, 'project-'));
    this.write('package.json', JSON.stringify({ name: 'project', private: true, overrides }));
  }

  write(file: string, text: string): void {
    const path = join(this.directory, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  /** Runs a JavaScript file with Node, and waits for it. @param file - from the project, or absolute */
  node(file: string, parameters: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Output> {
    const options = {
      cwd: this.directory,
      env: { ...environment, ...env },
      timeout: TIMEOUT_MS,
      maxBuffer: 1 << 26,
    };
    return new Promise((resolve) => {
      execFile(process.execPath, [file, ...parameters], options, (error, stdout, stderr) => {
        const status = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
        resolve({ status, text: stdout + stderr + (error?.killed ? '\nwas stopped: it took too long' : '') });
      });
    });
  }

  /** The same, for what must exit with 0. @returns what it wrote @throws with what it wrote */
  async succeeds(file: string, parameters: readonly string[], env?: NodeJS.ProcessEnv): Promise<string> {
    const { status, text } = await this.node(file, parameters, env);
    if (status !== 0) throw new Error(`exits with ${String(status)}:\n${text.slice(-3000)}`);
    return text;
  }

  /** Starts a program, waits until its output has a line, and has it stopped. @returns the line's match */
  async starts<T>(
    npx: string,
    parameters: readonly string[],
    line: RegExp,
    use: (match: RegExpExecArray) => Promise<T>,
  ): Promise<T> {
    const child = spawn(process.execPath, [npx, ...parameters], {
      cwd: this.directory,
      env: { ...environment, PORT: '0', HOST: '127.0.0.1', PATH: programs(environment) },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let text = '';
    const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
    try {
      const match = await new Promise<RegExpExecArray>((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`does not start:\n${text}`)), 60_000);
        for (const stream of [child.stdout, child.stderr]) {
          stream.setEncoding('utf8').on('data', (chunk: string) => {
            text += chunk;
            const found = line.exec(text);
            if (found === null) return;
            clearTimeout(timer);
            resolve(found);
          });
        }
        void ended.then(() => {
          clearTimeout(timer);
          reject(new Error(`ends:\n${text}`));
        });
      });
      return await use(match);
    } finally {
      // npx, its shell and the program are one group.
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
      await ended;
    }
  }
}

/** The programs of this Node come first, so that a script's `node` is the one that runs the checks. */
function programs({ PATH = '' }: NodeJS.ProcessEnv): string {
  return [
    dirname(process.execPath),
    ...PATH.split(delimiter).filter((each) => !each.includes('node_modules')),
  ].join(delimiter);
}
