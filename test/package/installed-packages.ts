/** Reads the commands of a block: what npm installs, and what npx runs. */

export interface Installation {
  /** The packages, without their versions. */
  readonly names: readonly string[];
  /** The versions that are asked for, by package. */
  readonly versions: ReadonlyMap<string, string>;
}

/** One entry per command, in their order. */
export function installed(commands: string): readonly Installation[] {
  const lines = commands.replaceAll(/ *\\\n */g, ' ').split('\n');
  return lines
    .filter((line) => line.startsWith('npm install '))
    .map((line) => {
      const specs = line
        .split(' ')
        .slice(2)
        .filter((each) => !each.startsWith('--'))
        .map((each) => /^(@?[^@]+)(?:@(.+))?$/.exec(each) ?? [])
        .map(([, name = '', version]) => [name, version] as const);
      return {
        names: specs.map(([name]) => name),
        versions: new Map(
          specs.flatMap(([name, version]) => (version === undefined ? [] : [[name, version]])),
        ),
      };
    });
}

/** The commands that npx runs, in their order, each as its words: the program first. */
export function programCommands(commands: string): readonly (readonly string[])[] {
  return commands
    .split('\n')
    .filter((line) => line.startsWith('npx '))
    .map((line) => line.split(' ').slice(1));
}
