/** The entry point `@concordat/runtime/terminal`: code that the programs `concordat` and `concordat-service` share. */

export {
  CommandFailure,
  type ExitCode,
  exitCodes,
  explainFailure,
  examples,
  exitCodeHelp,
  type ProgramCommand,
  runCommand,
  runProcess,
  usageFailure,
} from './run.js';
export { Html, html } from './html.js';
export { filtered, reportPage } from './html-page.js';
export type { Exhibit, Finding, FindingPlace, Report } from './finding.js';
export {
  type ReportFormat,
  counted,
  findingsMarkdown,
  htmlText,
  reportFormats,
  reportText,
} from './reports.js';
export { progressLine } from './terminal.js';
export {
  type Output,
  type Terminal,
  hasColours,
  print,
  printJson,
  printReport,
  processTerminal,
  urlOf,
} from './terminal.js';
