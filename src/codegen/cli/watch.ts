/** Generates again whenever a contract, a file it refers to or the configuration changes. */

import { type FSWatcher, existsSync, watch } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Terminal, explainFailure, print } from '@concordat/runtime/terminal';
import { ContractError, describeNotices } from '../contract/problems/contract-problem.js';
import { writeFiles } from '../generator/generated-files.js';
import { generatorsOf } from './contract-options.js';
import { DEFAULT_CONFIG } from './settings.js';
import { type ReadsApis, about } from './shared-options.js';

/** The file types of contracts. Generated files have other types, so writing them triggers nothing. */
const WATCHED = /\.(?:ya?ml|json|graphqls?|gql)$/i;

/** Editors write a file in several steps. */
const DEBOUNCE_MS = 100;

/** Generates until `terminal.untilStopped()` resolves. Problems of a contract are printed, and watching continues. */
export async function watchContracts(
  terminal: Terminal,
  { apis: readApis, config = DEFAULT_CONFIG }: ReadsApis<object> & { readonly config?: string },
): Promise<void> {
  const configPath = resolve(config);
  // Directories are watched instead of files, because editors replace files.
  const watchers = new Map<string, FSWatcher>();
  let timer: NodeJS.Timeout | undefined;
  let run = Promise.resolve();

  function observe(files: readonly string[]): void {
    for (const directory of new Set(files.map((file) => dirname(resolve(file))))) {
      if (watchers.has(directory)) continue;
      const watcher = watch(directory, (_event, name) => {
        if (name === null || WATCHED.test(name) || resolve(directory, name) === configPath) schedule();
      });
      watcher.on('error', () => {
        watcher.close();
        watchers.delete(directory);
      });
      watchers.set(directory, watcher);
    }
  }

  function schedule(): void {
    clearTimeout(timer);
    timer = setTimeout(() => void (run = run.then(generateOnce)), DEBOUNCE_MS);
  }

  async function generateOnce(): Promise<void> {
    try {
      const apis = await readApis();
      const generators = generatorsOf(apis);
      observe(generators.flatMap(({ openapi, schema }) => [openapi ?? [], schema ?? []].flat()));
      for (const [index, { written, inputs, notices, dropped }] of (await writeFiles(generators)).entries()) {
        observe(inputs);
        const name = about(apis[index]?.name);
        for (const line of [...describeNotices(notices), ...dropped])
          terminal.stderr.write(`${name}${line}\n`);
        for (const file of written) print(terminal, `${name}wrote ${file}`);
      }
    } catch (error) {
      if (error instanceof ContractError) observe(error.problems.map(({ file }) => file));
      terminal.stderr.write(`${explainFailure(error).message}\n`);
    }
  }

  const stopped = terminal.untilStopped();
  if (existsSync(configPath)) observe([configPath]);
  run = generateOnce();
  await run;
  print(terminal, 'Watching for changes');
  await stopped;
  clearTimeout(timer);
  for (const watcher of watchers.values()) watcher.close();
  await run;
}
