/** Runs the `npm install` commands of the READMEs in empty projects, with the packed packages in place of the published ones. */

import type { Versions } from '../packages.js';
import { blocks, installCommands } from '../pages.js';
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

/**
 * What a project may have already: major versions that the packages themselves do not have. Where npm finds versions
 * beside all of them, it finds some beside each.
 */
const NEIGHBOURS: Versions = { pino: '9', koa: '2', react: '19', commander: '13', typescript: '7' };

/** Some commands that are typed one after the other in one project. */
interface Installation {
  readonly title: string;
  readonly commands: readonly string[];
  /** Whether all that is installed is of our choice. */
  readonly isOurs: boolean;
}

/** The blocks of all READMEs, and each package alone, as somebody installs it who has read nothing. */
function installations(tarballs: ReadonlyMap<string, string>): readonly Installation[] {
  const alone = [...tarballs.keys()].map((name) => ({
    title: name,
    commands: [`npm install ${name}`],
    isOurs: true,
  }));
  const written = blocks.map((block) => ({
    title: `${block.page}, "${block.heading}"`,
    commands: installCommands(block),
    isOurs: false,
  }));
  const isNew = ({ commands }: Installation) =>
    commands.length > 0 && !alone.some((each) => each.commands[0] === commands.join('\n'));
  return [...alone, ...written.filter(isNew)];
}

/** An empty project in which the packages of this repository are the packed ones, whoever asks for them. */
export function projectWith(
  { place, tarballs }: Workshop,
  direct: readonly string[],
  dependencies: Versions = {},
): Project {
  const others = [...tarballs].filter(([name]) => !direct.includes(name));
  const overrides = Object.fromEntries(others.map(([name, tarball]) => [name, `file:${tarball}`]));
  return new Project(place, overrides, dependencies);
}

/** Each installation with npm 11, once more with npm 10 unless it is to be quick, and beside the neighbours. */
export function readmeInstalls(workshop: Workshop, isQuick: boolean): readonly Check[] {
  const all = installations(workshop.tarballs);
  return [
    ...(isQuick ? (['npm11'] as const) : (['npm11', 'npm10'] as const)).flatMap((npm) =>
      all.map((each) => ({
        title: `${npm} installs ${each.title}`,
        run: () => install(workshop, npm, each),
      })),
    ),
    ...all.map((each) => ({
      title: `npm11 finds versions for ${each.title} beside ${Object.entries(NEIGHBOURS).join(' ').replaceAll(',', '@')}`,
      run: () => findVersions(workshop, each),
    })),
  ];
}

async function install(workshop: Workshop, npm: Tool, { commands, isOurs }: Installation): Promise<void> {
  const project = projectWith(workshop, namesIn(commands));
  for (const command of commands) {
    const text = await project.succeeds(workshop.tool(npm), parametersOf(workshop, command));
    const warnings = text.split('\n').filter((line) => WARNINGS[isOurs ? 'ours' : 'any'].test(line));
    if (warnings.length > 0) throw new Error(warnings.join('\n'));
  }
  await project.succeeds(workshop.tool(npm), ['ls', '--all']);
}

/** npm also warns of engines where a package that graphql-tools or openapi-backend needs is declared for Node 22 alone. */
const WARNINGS = { any: /ERESOLVE/, ours: /ERESOLVE|deprecated|package: '(?:concordat|@concordat)/ };

async function findVersions(workshop: Workshop, { commands }: Installation): Promise<void> {
  const project = projectWith(workshop, namesIn(commands), NEIGHBOURS);
  for (const command of commands) {
    const parameters = parametersOf(workshop, command);
    const flags = parameters[0] === 'install' ? ['--package-lock-only'] : [];
    await project.succeeds(workshop.tool('npm11'), [...parameters, ...flags]);
  }
}

/** What npm is given for a command of a README: the packed packages for their names. */
export function parametersOf({ tarballs }: Workshop, command: string): readonly string[] {
  const [, subcommand = '', ...rest] = command.split(/ +/);
  if (subcommand !== 'install') return [subcommand, ...rest];
  return [subcommand, ...quiet, ...rest.map((spec) => tarballs.get(nameOf(spec)) ?? spec)];
}

function namesIn(commands: readonly string[]): readonly string[] {
  return commands.flatMap((command) => command.split(/ +/).slice(2)).map(nameOf);
}

function nameOf(spec: string): string {
  return spec.replace(/(?<=.)@.*$/, '');
}
