/** `concordat init`: starts a project with a server, or adds the parts that a changed contract needs. */

import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Command, Option } from 'commander';
import { type Terminal, print, printJson, usageFailure } from '@concordat/runtime/terminal';
import { HOSTS, type Host } from '../init/manifest.js';
import { packedPackages } from '../init/package-sources.js';
import { codecOfType } from '../contract/schemas/value-types.js';
import { generatorOptions, generatorsOf, valueOption } from './contract-options.js';
import { DEFAULT_CONFIG } from './settings.js';
import {
  type ReadsApis,
  accumulate,
  allowOriginOption,
  contractCommand,
  contractsAmong,
  selectionOptions,
} from './shared-options.js';

interface InitCommandOptions extends ReadsApis<object> {
  readonly host: Host;
  readonly config?: string;
  readonly packages?: string;
  readonly json?: true;
}

/** A folder with more new files than this gets a single line in the output. */
const MOST_LINES = 20;

export function initCommand(terminal: Terminal, version: string): Command {
  return contractCommand('init', {
    summary: 'start a project, or add the parts that a changed contract needs',
    description:
      'Writes a server for the contracts into the working directory: the generated code, a handler per operation and a resolver per field, which answer 501 until you write them, a test, and package.json. Run again, it adds handlers and resolvers for new parts of the contracts. It never replaces a file of yours.',
    options: [allowOriginOption(), ...selectionOptions()],
    examples: [
      'concordat init',
      'concordat init openapi.yaml schema.graphql --host fastify',
      'concordat init openapi.yaml --value date-time=Date --value decimal=Money',
      'npx concordat init openapi.yaml',
      'concordat init --packages ../packages',
    ],
  })
    .argument(
      '[contracts...]',
      'an OpenAPI document, a GraphQL schema, or both (default: those of codegen.ts)',
    )
    .addOption(new Option('--host <host>', 'the framework of the server').choices(HOSTS).default('koa'))
    .option('--accept <feature>', 'an unsupported feature that you accept; may be repeated', accumulate)
    .option('--lenient', 'as for generate')
    .addOption(new Option('--formats <mode>', 'as for generate').choices(['assert', 'annotate']))
    .addOption(valueOption(codecOfType))
    .option(
      '--packages <folder>',
      'a folder in which npm run pack has written the packages of concordat, which package.json lists instead of versions of a registry',
    )
    .option('--json', 'print {"written", "notes"} as JSON')
    .action(async (contracts: readonly string[], options: InitCommandOptions) => {
      const { host, json, packages, config: file = DEFAULT_CONFIG } = options;
      const named = contractsAmong(contracts);
      const { init } = await import('../init/init.js');
      const configured = existsSync(file) ? generatorsOf(await options.apis()) : [];
      if (configured.length > 1)
        throw usageFailure(`${file} has several APIs: name with --api the one whose parts this project has`);
      const packed = packages === undefined ? undefined : packedPackages(packages);
      const { written, notes, manager } = await init({
        ...{ version, host, configured: configured[0], named, packed },
        options: generatorOptions(options),
      });
      if (json) {
        printJson(terminal, { written, notes });
        return;
      }
      for (const line of linesOf(written)) print(terminal, line);
      for (const note of notes) print(terminal, note);
      if (written.includes('src/server.ts'))
        print(terminal, `Next: ${manager} install && ${manager} run dev`);
      else if (written.length === 0) print(terminal, 'The project has everything that its contracts need');
    });
}

function linesOf(written: readonly string[]): readonly string[] {
  const folders = new Map<string, readonly string[]>();
  for (const file of written) folders.set(dirname(file), [...(folders.get(dirname(file)) ?? []), file]);
  return [...folders].flatMap(([folder, files]) =>
    files.length > MOST_LINES
      ? [`wrote ${files.length} files in ${folder}`]
      : files.map((file) => `wrote ${file}`),
  );
}
