/** Runs the `npm install` commands of the READMEs in empty projects, with the packed packages in place of the published ones. */

import { blocks, installCommands } from '../readmes.js';
import type { Check } from './checks.js';
import { Project } from './project.js';
import { type Tool, quiet } from './tools.js';

/** What an installation is made with. */
export interface Workshop {
  /** Where projects are made. */
  readonly place: string;
  readonly tool: (tool: Tool) => string;
  /** The packed packages by their names. */
  readonly tarballs: ReadonlyMap<string, string>;
}

/** What a project may have already: a major version that the packages themselves do not have. */
const NEIGHBOURS = ['pino@9', 'koa@2', 'react@19', 'commander@13', 'typescript@7'];

/** Some commands that are typed one after the other in one project. */
interface Installation {
  readonly title: string;
  readonly commands: readonly string[];
}

/** The blocks of all READMEs, and each package alone, as somebody installs it who has read nothing. */
function installations(tarballs: ReadonlyMap<string, string>): readonly Installation[] {
  const alone = [...tarballs.keys()].map((name) => ({ title: name, commands: [`npm install ${name}`] }));
  const written = blocks.map((block) => ({
    title: `${block.readme}, "${block.heading}"`,
    commands: installCommands(block),
  }));
  return [...written.filter(({ commands }) => commands.length > 0), ...alone];
}

/** An empty project in which the packages of this repository are the packed ones, whoever asks for them. */
export function projectWith({ place, tarballs }: Workshop, direct: readonly string[]): Project {
  const others = [...tarballs].filter(([name]) => !direct.includes(name));
  return new Project(place, Object.fromEntries(others.map(([name, tarball]) => [name, `file:${tarball}`])));
}

/** Each installation with npm 11, once more with npm 10, and beside each neighbour. */
export function readmeInstalls(workshop: Workshop): readonly Check[] {
  const all = installations(workshop.tarballs);
  return [
    ...all.map(({ title, commands }) => ({
      title: `npm 11 installs ${title}`,
      run: () => install(workshop, 'npm11', commands, []),
    })),
    ...all.map(({ title, commands }) => ({
      title: `npm 10 installs ${title}`,
      run: () => install(workshop, 'npm10', commands, []),
    })),
    ...all.flatMap(({ title, commands }) =>
      NEIGHBOURS.map((neighbour) => ({
        title: `beside ${neighbour}, npm 11 finds versions for ${title}`,
        run: () =>
          install(workshop, 'npm11', [`npm install ${neighbour}`, ...commands], ['--package-lock-only']),
      })),
    ),
  ];
}

async function install(
  workshop: Workshop,
  npm: 'npm10' | 'npm11',
  commands: readonly string[],
  flags: readonly string[],
): Promise<void> {
  const parameters = commands.map((command) => command.split(/ +/).slice(2));
  const names = parameters.flat().map((spec) => spec.replace(/(?<=.)@.*$/, ''));
  const project = projectWith(workshop, names);
  for (const specs of parameters) {
    const packed = specs.map((spec) => workshop.tarballs.get(spec.replace(/(?<=.)@.*$/, '')) ?? spec);
    const text = await project.succeeds(workshop.tool(npm), ['install', ...quiet, ...flags, ...packed]);
    const warnings = text.split('\n').filter((line) => /ERESOLVE|EBADENGINE|deprecated/.test(line));
    if (warnings.length > 0) throw new Error(warnings.join('\n'));
  }
  if (flags.length === 0) await project.succeeds(workshop.tool(npm), ['ls', '--all']);
}
