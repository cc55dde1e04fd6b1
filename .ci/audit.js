/**
 * Reports what `npm audit` says of the packages that an installation brings. It fails for an advisory of high or critical
 * severity, and passes with a note where the registry gives no answer.
 */
import { spawnSync } from 'node:child_process';

const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], { encoding: 'utf8', timeout: 60_000 });
const report = parsed(stdout);
if (report?.auditReportVersion === undefined) {
  process.stdout.write(`npm audit had no answer: ${report?.message ?? 'the registry is out of reach'}\n`);
} else {
  const { vulnerabilities } = report.metadata;
  process.stdout.write(
    `npm audit: ${Object.entries(vulnerabilities)
      .map((entry) => entry.reverse().join(' '))
      .join(', ')}\n`,
  );
  for (const { name, severity, range } of Object.values(report.vulnerabilities)) {
    process.stdout.write(`${severity}: ${name} ${range}\n`);
  }
  if (vulnerabilities.high + vulnerabilities.critical > 0) process.exitCode = 1;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
