/** `concordat bridge`: writes what serves an old version of a document from an engine of a new one. */

import { existsSync, statSync } from 'node:fs';
import { Command } from 'commander';
import { type Terminal, examples, print, printJson, usageFailure } from '@concordat/runtime/terminal';
import { accumulate, allowOriginOption } from 'concordat/options';

interface BridgeOptions {
  readonly out: string;
  readonly accept?: readonly string[];
  readonly lenient?: true;
  readonly allowOrigin?: readonly string[];
  readonly json?: true;
}

export function bridgeCommand(terminal: Terminal): Command {
  return new Command('bridge')
    .summary('serve an old version of a contract from a new one')
    .description(
      'Writes the code of two versions of an OpenAPI document, a bridge that serves the old one from an engine of the new one, and a test that verifies the bridge. The bridge has a function for each request and each answer whose type has changed, or that a change breaks as diff proves: it throws until you write it, and its comment shows the proofs. Run again, the command writes the code again, and never replaces a bridge or a test.',
    )
    .argument('<old>', 'the OpenAPI document of the version that clients still use')
    .argument('<new>', 'the OpenAPI document of the version that has handlers')
    .option('-o, --out <folder>', 'the folder that is written', 'bridge')
    .option('--accept <feature>', 'an unsupported feature that you accept; may be repeated', accumulate)
    .option('--lenient', 'accept the harmless faults of both documents')
    .addOption(allowOriginOption())
    .option('--json', 'print {"written", "notes"} as JSON')
    .addHelpText('after', examples('concordat bridge openapi-v1.yaml openapi.yaml --out src/v1'))
    .action(async (old: string, next: string, options: BridgeOptions) => {
      const { out, json, lenient = false, allowOrigin: allowOrigins = [], accept = [] } = options;
      const [{ isSdl }, { diffFiles }, { breaksOf }, { writeBridge }] = await Promise.all([
        import('../diff/diff.js'),
        import('../diff/diff-files.js'),
        import('../diff/proof-text.js'),
        import('concordat/contract'),
      ]);
      const wrong = [old, next].find((file) => isSdl(file) || !existsSync(file));
      if (wrong !== undefined)
        throw usageFailure(`${wrong} is no file with an OpenAPI document; git show writes one of a revision`);
      if (existsSync(out) && !statSync(out).isDirectory()) throw usageFailure(`${out} is no folder`);
      const [diff] = await diffFiles([old, next], { allowOrigins });
      const breaks = breaksOf(diff?.changes ?? []);
      const settings = { old, new: next, out, breaks, accept, lenient, allowOrigins };
      const { written, notes } = await writeBridge(settings);
      if (json) printJson(terminal, { written, notes });
      else for (const line of [...written.map((file) => `wrote ${file}`), ...notes]) print(terminal, line);
    });
}
