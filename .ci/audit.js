/**
 * Reports what `npm audit` says of the packages that an installation brings. Where the registry has no advisories, the installed versions
 * are compared with the dated list of those that were looked at by hand. It fails for an advisory of high or critical severity, and for
 * one of the list that is not accepted there. The last line is the verdict.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { satisfies } from 'semver';

const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], { encoding: 'utf8', timeout: 60_000 });
const report = parsed(stdout ?? '');
const { found, verdict } = report?.auditReportVersion === undefined ? byList() : byRegistry(report);
for (const line of found) process.stdout.write(`${line}\n`);
process.stdout.write(`Advisories: ${verdict}\n`);

function byRegistry({ metadata: { vulnerabilities }, vulnerabilities: packages }) {
  if (vulnerabilities.high + vulnerabilities.critical > 0) process.exitCode = 1;
  return {
    found: Object.values(packages).map(({ name, severity, range }) => `${severity}: ${name} ${range}`),
    verdict: `npm audit found ${Object.entries(vulnerabilities)
      .map((entry) => entry.reverse().join(' '))
      .join(', ')}`,
  };
}

function byList() {
  const list = readFileSync('.github/ADVISORIES.md', 'utf8');
  const [, date] = /Looked at on (\d{4}-\d\d-\d\d)/.exec(list);
  const rows = [...list.matchAll(/^\| (GHSA-.*) \|$/gm)].map(([, cells]) =>
    cells.split(/(?<!\\)\|/).map((cell) => cell.trim()),
  );
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const installed = Object.entries(packages).filter(([, { dev, link }]) => !dev && !link);
  const affected = rows.flatMap(([id, name, range, , reason]) =>
    installed
      .filter(([place]) => place.endsWith(`node_modules/${name}`))
      .filter(([, { version }]) => satisfies(version, range.replaceAll('\\|', '|')))
      .map(([, { version }]) => ({ reason, text: `${id}: ${name} ${version}` })),
  );
  const refused = affected.filter(({ reason }) => reason === '');
  if (refused.length > 0) process.exitCode = 1;
  return {
    found: affected.map(
      ({ reason, text }) => `${text} ${reason === '' ? 'is affected' : `is accepted: ${reason}`}`,
    ),
    verdict:
      `the registry gives no verdict (${report?.message?.split(' - ')[0] ?? 'it is out of reach'}). ` +
      `Of the ${rows.length} that were looked at by hand on ${date}, ${refused.length} affect the installed versions`,
  };
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
