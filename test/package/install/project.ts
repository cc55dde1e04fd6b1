/** An empty folder in which somebody installs packages from npm's registry and runs them. */

import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { secludedPlace } from '../consumer.js';
import type { Versions } from '../packages.js';
import { type Output, runFile, serves, succeeds } from './run.js';

/** Makes the folder for all projects of a run; the caller removes it. */
export function makePlace(): string {
  return realpathSync(mkdtempSync(join(secludedPlace(), 'concordat-install-')));
}

export class Project {
  readonly directory: string;

  /**
   * @param overrides - what npm is to install where a package asks for one of these names
   * @param dependencies - what the project lists already, by the ranges of its versions
   */
  constructor(place: string, overrides: Versions = {}, dependencies: Versions = {}) {
    this.directory = mkdtempSync(join(place, 'project-'));
    this.write('package.json', JSON.stringify({ name: 'project', private: true, overrides, dependencies }));
  }

  write(file: string, text: string): void {
    const path = join(this.directory, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  /** Runs a JavaScript file with Node, and waits for it. */
  node(file: string, parameters: readonly string[]): Promise<Output> {
    return runFile(process.execPath, [file, ...parameters], this.directory);
  }

  /** The same, for what must exit with 0. @returns what it wrote @throws with the end of it */
  succeeds(file: string, parameters: readonly string[]): Promise<string> {
    return succeeds(process.execPath, [file, ...parameters], this.directory);
  }

  /** Starts the service by a JavaScript file, uses its pages, and stops it. */
  serves(file: string, parameters: readonly string[]): Promise<void> {
    return serves(process.execPath, [file, ...parameters], this.directory);
  }
}
