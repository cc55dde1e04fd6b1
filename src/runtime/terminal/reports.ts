/** Writes what a command has found in the formats that other programs read: JUnit, SARIF, GitHub's workflow commands, Markdown, and a page. */

import type { Finding, Report } from './finding.js';
import { htmlReport, placeText } from './html-report.js';

/** The formats of a report, beside `text` and `json`, which each command writes in its own way. */
export const reportFormats = ['text', 'json', 'markdown', 'junit', 'sarif', 'github', 'html'] as const;
export type ReportFormat = (typeof reportFormats)[number];

/**
 * Writes a report for another program. Texts of contracts and servers in it are escaped, so that they cannot end an element or start a
 * command of the workflow.
 *
 * @returns the text, without a line feed at its end; empty if there is nothing to say to GitHub
 *
 * @example
 * ```ts
 * print(terminal, reportText('junit', { command: 'concordat check', cases: ['openapi.yaml'], findings: [] }));
 * ```
 */
export function reportText(format: Exclude<ReportFormat, 'text' | 'json'>, report: Report): string {
  return WRITERS[format](report);
}

const WRITERS = {
  junit: junitText,
  sarif: sarifText,
  github: githubText,
  markdown: markdownText,
  html: htmlReport,
};

/** A test suite with a test case for each case, which fails with its errors (the schema of Jenkins' xUnit plugin). */
function junitText({ command, cases, findings }: Report): string {
  const names = [...new Set([...cases, ...findings.map(({ about }) => about)])];
  const elements = names.map((name) => {
    const own = findings.filter(({ about }) => about === name);
    const failures = own.filter(({ level }) => level === 'error').map(failureElement);
    const others = own.filter(({ level }) => level !== 'error').map(linesOf);
    const output = others.length === 0 ? [] : [`<system-out>${xml(others.join('\n\n'))}</system-out>`];
    const opening = `<testcase classname="${xml(command)}" name="${xml(name)}"`;
    return failures.length + output.length === 0
      ? `    ${opening}/>`
      : [
          `    ${opening}>`,
          ...[...failures, ...output].map((each) => `      ${each}`),
          '    </testcase>',
        ].join('\n');
  });
  const failed = names.filter((name) =>
    findings.some(({ about, level }) => about === name && level === 'error'),
  );
  const counts = `tests="${String(names.length)}" failures="${String(failed.length)}" errors="0"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="${xml(command)}" ${counts}>`,
    ...elements,
    '  </testsuite>',
    '</testsuites>',
  ].join('\n');
}

function failureElement(finding: Finding): string {
  const { rule, message } = finding;
  return `<failure type="${xml(rule)}" message="${xml(message)}">${xml(linesOf(finding))}</failure>`;
}

/** The place, the message and the details. */
function linesOf({ rule, message, place, details }: Finding): string {
  const start = place === undefined ? '' : `${placeText(place)} `;
  return [`${start}${rule}: ${message}`, ...(details === undefined ? [] : [details])].join('\n');
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes a text of XML 1.0. A character that XML does not allow becomes U+FFFD; a line feed of an attribute is kept. */
function xml(text: string): string {
  return text
    .replaceAll(/(?![\t\n\r])\p{Cc}|\p{Cs}|[\ufffe\uffff]/gu, '\ufffd')
    .replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? '')
    .replaceAll('\r', '&#13;');
}

const SARIF_SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';

/** A log of the Static Analysis Results Interchange Format, which GitHub's code scanning and editors read. */
function sarifText({ command, findings }: Report): string {
  const rules = [...new Set(findings.map(({ rule }) => rule))];
  const results = findings.map(({ rule, level, message, about, place, details }) => ({
    ruleId: rule,
    ruleIndex: rules.indexOf(rule),
    level,
    message: { text: [`${about}: ${message}`, ...(details === undefined ? [] : [details])].join('\n') },
    ...(place !== undefined && {
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: addressOf(place.file) },
            ...(place.line !== undefined && { region: { startLine: place.line } }),
          },
        },
      ],
    }),
    partialFingerprints: { 'finding/v1': `${rule} ${about} ${message}` },
  }));
  const driver = { name: command, rules: rules.map((id) => ({ id })) };
  return JSON.stringify({ $schema: SARIF_SCHEMA, version: '2.1.0', runs: [{ tool: { driver }, results }] });
}

/** The URI reference of a path; a URL stays as it is. */
function addressOf(file: string): string {
  if (/^https?:\/\//.test(file) && URL.canParse(file)) return new URL(file).href;
  const path = file.replaceAll(/\p{Cs}/gu, '\ufffd').split('/');
  return path.map(encodeURIComponent).join('/');
}

const COMMANDS: Readonly<Record<Finding['level'], string>> = {
  error: 'error',
  warning: 'warning',
  note: 'notice',
};

/** A workflow command for each finding, which GitHub shows at the line of the file. */
function githubText({ findings }: Report): string {
  return findings
    .map(({ rule, level, message, about, place, details }) => {
      const properties = {
        ...(place !== undefined && { file: place.file }),
        ...(place?.line !== undefined && { line: String(place.line) }),
        title: rule,
      };
      const written = Object.entries(properties).map(
        ([name, value]) => `${name}=${escaped(value).replaceAll(':', '%3A').replaceAll(',', '%2C')}`,
      );
      const text = [`${about}: ${message}`, ...(details === undefined ? [] : [details])].join('\n');
      return `::${COMMANDS[level]} ${written.join(',')}::${escaped(text)}`;
    })
    .join('\n');
}

function escaped(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function markdownText({ command, cases, findings }: Report): string {
  const counts = `${counted(cases.length, 'case')}, ${counted(findings.length, 'finding')}.`;
  return [`## ${command}`, counts, ...findingsMarkdown(findings)].join('\n\n');
}

/** A table for a pull request, and the details of each finding to unfold. */
export function findingsMarkdown(findings: readonly Finding[]): readonly string[] {
  const rows = findings.map(({ level, rule, message, about, place }) =>
    [`**${level}** ${rule}`, about, message, place === undefined ? '' : placeText(place)]
      .map((cell) => htmlText(cell).replaceAll('|', '\\|').replaceAll('\n', ' '))
      .join(' | '),
  );
  const head = ['| Finding | About | Message | Place |', '| --- | --- | --- | --- |'];
  const unfolded = findings.flatMap(({ about, message, details }) => {
    const summary = htmlText(`${about}: ${message}`);
    return details === undefined
      ? []
      : [`<details><summary>${summary}</summary>\n\n~~~\n${details}\n~~~\n\n</details>`];
  });
  return [
    ...(rows.length === 0 ? [] : [[...head, ...rows.map((row) => `| ${row} |`)].join('\n')]),
    ...unfolded,
  ];
}

/** `1 request`, `2 requests`. @param many - the plural, unless it ends with an `s` alone */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${String(count)} ${count === 1 ? one : many}`;
}

export function htmlText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
