/** `concordat docs`: lists, finds, prints or serves the guides of the installed packages. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import { Command } from 'commander';
import { nodeTransport } from '@concordat/runtime/node';
import { type Terminal, examples, print, urlOf, usageFailure } from '@concordat/runtime/terminal';
import { findGuides } from './find-guides.js';
import { type Guide, exampleOf, guidePages, installedGuides, textOf } from './guides.js';
import type { ProjectOptions } from './project-pages.js';
import { type ForApi, type ReadsApis, portOf } from './shared-options.js';

interface DocsCommandOptions extends ReadsApis<ProjectOptions & { readonly port: number }> {
  readonly serve?: true;
}

export function docsCommand(terminal: Terminal): Command {
  return new Command('docs')
    .summary('read the guides of the installed packages')
    .description(
      'Lists the guides of the installed packages, finds those for a task by its words, prints one, or serves all of them.',
    )
    .argument(
      '[words...]',
      'the name of a guide, with its package if several have it (concordat/reference); the file of an example; or what you want to do',
    )
    .option(
      '--serve',
      'serve as pages on this machine, until it is stopped: the guides, the API reference and GraphiQL of the contracts, which try out a mock, and the last reports',
    )
    .option('--reports <folder>', 'the folder with reports that --format html wrote', 'reports')
    .option('-p, --port <number>', 'the port to serve them on; 0 picks a free one', portOf, 4030)
    .addHelpText(
      'after',
      examples(
        'concordat docs',
        'concordat docs streams',
        'concordat docs reject a request',
        'concordat docs concordat/reference | less',
        'concordat docs --serve',
      ),
    )
    .action(async (words: readonly string[], { serve, apis }: DocsCommandOptions) => {
      const guides = installedGuides(process.cwd());
      if (serve) await serveGuides(terminal, guides, await apis());
      else if (words.length === 0) list(terminal, guides);
      else printFound(terminal, guides, words.join(' '));
    });
}

function list(terminal: Terminal, guides: readonly Guide[]): void {
  const width = Math.max(...guides.map(({ name }) => name.length));
  for (const [index, { owner, name, use }] of guides.entries()) {
    if (owner !== guides[index - 1]?.owner) print(terminal, `${index === 0 ? '' : '\n'}${owner}`);
    print(terminal, `  ${name.padEnd(width)}  ${use}`);
  }
}

/** Prints the guides of a name, or lists those that fit a task. @throws CommandFailure if there are none */
function printFound(terminal: Terminal, guides: readonly Guide[], words: string): void {
  const named = guides.filter((each) => [each.name, `${each.owner}/${each.name}`].includes(words));
  if (named.length > 0) {
    print(terminal, named.map((each) => textOf(each).trimEnd()).join('\n\n'));
    return;
  }
  const example = exampleOf(guides, words);
  if (example !== undefined) {
    print(terminal, example.trimEnd());
    return;
  }
  const found = findGuides(guides, words);
  if (found.length === 0) throw usageFailure(`There is no guide ${words}. See concordat docs.`);
  const width = Math.max(...found.map(({ name }) => name.length));
  for (const { name, use, owner } of found) print(terminal, `${name.padEnd(width)}  ${use} (${owner})`);
}

async function serveGuides(
  terminal: Terminal,
  guides: readonly Guide[],
  apis: readonly ForApi<ProjectOptions & { readonly port: number }>[],
): Promise<void> {
  const { projectPages } = await import('./project-pages.js');
  const { list, listener } = await projectPages(apis);
  const others = nodeTransport(await guidePages(guides, list));
  const server = createServer((request, response) => {
    // The page of an attacker may have a name that leads to this machine, and would read the contracts (DNS rebinding).
    if (!/^(?:localhost|127\.0\.0\.1)(?::\d+)?$/.test(request.headers.host ?? '')) {
      response.writeHead(421).end();
      return;
    }
    listener(request, response, () => others(request, response));
  });
  await once(server.listen(apis[0]?.options.port, '127.0.0.1'), 'listening');
  print(terminal, `The guides are on ${urlOf(server)}`);
  await terminal.untilStopped();
  server.close();
  server.closeAllConnections();
}
