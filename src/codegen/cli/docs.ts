/** `concordat docs`: lists, prints or serves the guides of the installed packages. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import { Command } from 'commander';
import { nodeTransport } from '@concordat/runtime/node';
import { type Terminal, examples, print, urlOf, usageFailure } from '@concordat/runtime/terminal';
import { type Guide, guidePages, installedGuides, textOf } from './guides.js';
import { type ReadsApis, portOf } from './shared-options.js';

interface DocsCommandOptions extends ReadsApis<{ readonly port: number }> {
  readonly serve?: true;
}

export function docsCommand(terminal: Terminal): Command {
  return new Command('docs')
    .summary('read the guides of the installed packages')
    .description('Lists the guides of the installed packages, prints one, or serves all of them.')
    .argument('[name]', 'the name of a guide; with its package, such as concordat/start, if several have it')
    .option('--serve', 'serve the guides as pages on this machine, until it is stopped')
    .option('-p, --port <number>', 'the port to serve them on; 0 picks a free one', portOf, 4030)
    .addHelpText(
      'after',
      examples(
        'concordat docs',
        'concordat docs streams',
        'concordat docs index | less',
        'concordat docs --serve',
      ),
    )
    .action(async (name: string | undefined, { serve, apis }: DocsCommandOptions) => {
      const guides = installedGuides(process.cwd());
      if (serve) await serveGuides(terminal, guides, (await apis())[0]?.options.port);
      else if (name === undefined) list(terminal, guides);
      else printGuide(terminal, guides, name);
    });
}

function list(terminal: Terminal, guides: readonly Guide[]): void {
  const width = Math.max(...guides.map(({ name }) => name.length));
  for (const [index, { owner, name, use }] of guides.entries()) {
    if (owner !== guides[index - 1]?.owner) print(terminal, `${index === 0 ? '' : '\n'}${owner}`);
    print(terminal, `  ${name.padEnd(width)}  ${use}`);
  }
}

/** @throws CommandFailure if no guide has the name */
function printGuide(terminal: Terminal, guides: readonly Guide[], name: string): void {
  const found = guides.filter((each) => [each.name, `${each.owner}/${each.name}`].includes(name));
  if (found.length === 0) {
    throw usageFailure(`There is no guide ${name}. See concordat docs.`);
  }
  print(terminal, found.map((each) => textOf(each).trimEnd()).join('\n\n'));
}

async function serveGuides(terminal: Terminal, guides: readonly Guide[], port?: number): Promise<void> {
  const server = createServer(nodeTransport(await guidePages(guides)));
  await once(server.listen(port, '127.0.0.1'), 'listening');
  print(terminal, `The guides are on ${urlOf(server)}`);
  await terminal.untilStopped();
  server.close();
  server.closeAllConnections();
}
