/** Fails unless a tag, such as `v1.2.0`, is the version of the five packages, of what they need of each other, and of their change logs. */

import { readFileSync, readdirSync } from 'node:fs';

const [tag = ''] = process.argv.slice(2);
const root = new URL('../', import.meta.url);
const packages = readdirSync(new URL('src/', root)).map((folder) => ({
  folder,
  manifest: JSON.parse(readFileSync(new URL(`src/${folder}/package.json`, root), 'utf8')),
}));
const names = packages.map(({ manifest }) => manifest.name);

const faults = packages.flatMap(({ folder, manifest: { name, version, dependencies = {} } }) => {
  const [, noted] =
    /^## (\S+)/m.exec(readFileSync(new URL(`src/${folder}/CHANGELOG.md`, root), 'utf8')) ?? [];
  return [
    ...(`v${version}` === tag ? [] : [`${name} has the version ${version}`]),
    ...(noted === version ? [] : [`the change log of ${name} begins with ${String(noted)}`]),
    ...names
      .filter((each) => each in dependencies && dependencies[each] !== version)
      .map((each) => `${name} needs ${each} ${dependencies[each]}`),
  ];
});
if (faults.length > 0) {
  process.stderr.write(`${tag || 'No tag'} cannot be released: ${faults.join('; ')}.\n`);
  process.exitCode = 1;
}
