/**
 * A reporter for mocha: a line per area of the tests, the failures in full, and the skipped tests by their reason. An area is a folder below
 * `test`, or one below that where a package has several.
 */
const { relative, sep } = require('node:path');
const { reporters, Runner } = require('mocha');

const { EVENT_RUN_END, EVENT_TEST_FAIL, EVENT_TEST_PASS, EVENT_TEST_PENDING } = Runner.constants;

/** The packages whose folders are areas of their own. */
const LARGE = new Set(['codegen', 'core', 'runtime', 'service', 'systems', 'tools']);

class CompactReporter extends reporters.Base {
  constructor(runner, options) {
    super(runner, options);
    this.areas = new Map();
    this.reasons = new Map();
    runner.on(EVENT_TEST_PASS, (test) => this.count(test, 'passed'));
    runner.on(EVENT_TEST_PENDING, (test) => {
      this.count(test, 'skipped');
      const reason = reasonOf(test);
      this.reasons.set(reason, (this.reasons.get(reason) ?? 0) + 1);
    });
    runner.on(EVENT_TEST_FAIL, (test) => {
      this.count(test, 'failed');
      // Whoever waits learns it at once.
      process.stdout.write(`failed: ${test.fullTitle()}\n`);
    });
    runner.once(EVENT_RUN_END, () => this.end());
  }

  count(test, outcome) {
    const name = areaOf(test.file ?? '');
    let area = this.areas.get(name);
    if (area === undefined) this.areas.set(name, (area = { passed: 0, failed: 0, skipped: 0, ms: 0 }));
    area[outcome] += 1;
    area.ms += test.duration ?? 0;
  }

  end() {
    const areas = [...this.areas].sort(([one], [other]) => (one < other ? -1 : 1));
    const width = Math.max(0, ...areas.map(([name]) => name.length));
    for (const [name, { passed, failed, skipped, ms }] of areas) {
      const others = `${failed > 0 ? `, ${failed} failed` : ''}${skipped > 0 ? `, ${skipped} skipped` : ''}`;
      const seconds = `${(ms / 1000).toFixed(1)} s`;
      process.stdout.write(
        `${name.padEnd(width)} ${seconds.padStart(8)} ${String(passed).padStart(6)} passed${others}\n`,
      );
    }
    if (this.failures.length > 0) {
      reporters.Base.list(this.failures);
      process.stdout.write(`What the tests printed is in ${process.env.TEST_OUTPUT}\n`);
    }
    for (const [reason, count] of this.reasons) process.stdout.write(`${count} skipped: ${reason}\n`);
    const { passes, failures, pending, duration = 0 } = this.stats;
    process.stdout.write(`${Math.round(duration / 1000)} s\n`);
    process.stdout.write(`${passes} passed, ${failures} failed, ${pending} skipped\n`);
  }
}

function areaOf(file) {
  const [, first = '', second = '', ...others] = relative(process.cwd(), file).split(sep);
  return LARGE.has(first) && others.length > 0 ? `${first}/${second}` : first;
}

/** Titles say `skipped: REASON`; where none does, the title is all that is known. */
function reasonOf(test) {
  const title = test.fullTitle();
  return /skipped: ([^)]*)/.exec(title)?.[1] ?? title;
}

module.exports = CompactReporter;
