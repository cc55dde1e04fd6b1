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
export {
  type Finding,
  type Report,
  type ReportFormat,
  counted,
  findingsMarkdown,
  htmlText,
  reportFormats,
  reportText,
} from './reports.js';
export { progressLine } from './progress-line.js';
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
