/** Reports for other programs: valid for their schemas whatever texts of contracts and servers are in them. */

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import fc from 'fast-check';
import { type Finding, type Report, reportText } from '@concordat/runtime/terminal';

/** The schemas of SchemaStore (Apache-2.0), and of Jenkins (MIT), as they are published. */
const schemaFile = (name: string): string =>
  fileURLToPath(new URL(`../../fixtures/reports/${name}`, import.meta.url));

const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    ']]>',
    '<!--',
    '"/><x>',
    '\u0000',
    '\ud800',
    '\n::error::x',
    '%0A',
    '\r\n',
    '&amp;',
    '|',
    '~~~',
  ),
);
const finding: fc.Arbitrary<Finding> = fc.record(
  {
    rule: hostile,
    level: fc.constantFrom('error', 'warning', 'note'),
    message: hostile,
    about: hostile,
    place: fc.record({ file: hostile, line: fc.integer({ min: 1 }) }, { requiredKeys: ['file'] }),
    details: hostile,
  },
  { requiredKeys: ['rule', 'level', 'message', 'about'] },
);
const report: fc.Arbitrary<Report> = fc.record({
  command: hostile,
  cases: fc.array(hostile, { maxLength: 3 }),
  findings: fc.array(finding, { maxLength: 4 }),
});

const BREAK: Report = {
  command: 'concordat diff',
  cases: ['openapi.yaml', 'GET /b'],
  findings: [
    {
      rule: 'maximum-changed',
      level: 'error',
      message: 'maximum 100 → 50',
      about: 'GET /a',
      place: { file: 'api/openapi.yaml', line: 17 },
      details: 'GET /a?limit=100\nis refused',
    },
    { rule: 'x', level: 'note', message: 'a, b: c', about: 'GET /b', place: { file: 'a:b,c.yaml' } },
  ],
};

describe('a report', () => {
  it('in JUnit has a test case for each case, of which those with errors fail', () => {
    expect(reportText('junit', BREAK)).to.equal(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="3" failures="1" errors="0">
  <testsuite name="concordat diff" tests="3" failures="1" errors="0">
    <testcase classname="concordat diff" name="openapi.yaml"/>
    <testcase classname="concordat diff" name="GET /b">
      <system-out>a:b,c.yaml x: a, b: c</system-out>
    </testcase>
    <testcase classname="concordat diff" name="GET /a">
      <failure type="maximum-changed" message="maximum 100 → 50">api/openapi.yaml:17 maximum-changed: maximum 100 → 50
GET /a?limit=100
is refused</failure>
    </testcase>
  </testsuite>
</testsuites>`);
  });

  it('for GitHub is a workflow command for each finding, with file and line', () => {
    expect(reportText('github', BREAK).split('\n')).to.deep.equal([
      '::error file=api/openapi.yaml,line=17,title=maximum-changed::GET /a: maximum 100 → 50%0AGET /a?limit=100%0Ais refused',
      '::notice file=a%3Ab%2Cc.yaml,title=x::GET /b: a, b: c',
    ]);
    expect(reportText('github', { ...BREAK, findings: [] })).to.equal('');
  });

  it('in Markdown is a table, with the details to unfold', () => {
    const text = reportText('markdown', BREAK);
    expect(text).to.match(/^## concordat diff\n\n2 cases, 2 findings\.\n\n\| Finding \|/);
    expect(text).to.include(
      '| **error** maximum-changed | GET /a | maximum 100 → 50 | api/openapi.yaml:17 |',
    );
    expect(text).to.include(
      '<details><summary>GET /a: maximum 100 → 50</summary>\n\n~~~\nGET /a?limit=100\n',
    );
  });

  it('for GitHub never has another command than one for each finding', () => {
    fc.assert(
      fc.property(report, (made) => {
        const lines = made.findings.length === 0 ? [] : reportText('github', made).split(/\r\n|[\n\r]/);
        expect(lines).to.have.length(made.findings.length);
        for (const line of lines) expect(line).to.match(/^::(?:error|warning|notice) /);
      }),
    );
  });

  it('in SARIF is valid for the schema of version 2.1.0', () => {
    const path = schemaFile('sarif-2.1.0-rtm.5.json');
    const { definitions, properties, required } = JSON.parse(readFileSync(path, 'utf8')) as Record<
      string,
      object
    >;
    // Written for draft 4, whose only difference here is the name of `$id`.
    const schema = { type: 'object', definitions, properties, required, additionalProperties: false };
    const ajv = new Ajv.default({ strict: false, allErrors: true, unicodeRegExp: false });
    addFormats.default(ajv);
    const check = ajv.compile(schema);
    const valid = (made: Report): void => {
      check(JSON.parse(reportText('sarif', made)));
      expect(check.errors).to.equal(null);
    };
    valid(BREAK);
    fc.assert(fc.property(report, valid));
    expect(check({ version: '2.1.0' })).to.equal(false);
  });

  const hasLint = spawnSync('xmllint', ['--version']).status === 0;
  const itWithLint = (title: string, test: () => void): void => {
    if (hasLint) it(title, test);
    else it.skip(`${title} (skipped: xmllint is not installed)`, test);
  };
  itWithLint('in JUnit is valid for the schema that Jenkins publishes', () => {
    const schema = schemaFile('jenkins-junit.xsd');
    const lint = (input: string) =>
      spawnSync('xmllint', ['--noout', '--schema', schema, '-'], { input, encoding: 'utf8' });
    const made = [BREAK, ...fc.sample(report, { numRuns: 20, seed: 7 })].map((each) =>
      reportText('junit', each),
    );
    for (const text of made) {
      const { status, stderr } = lint(text);
      expect(status, stderr + text).to.equal(0);
    }
    expect(lint('<testsuites><testsuite/></testsuites>').status).to.not.equal(0);
  });
});
