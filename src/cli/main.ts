#!/usr/bin/env node
/** The program that the package installs, and what `npm start` runs. */

import { runProgram } from './program.js';
import { processTerminal } from './terminal.js';

// Who reads the output may have read enough, as `head` does: then there is nobody to write for. The code is that of a shell.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(128 + 13);
  throw error;
});

process.exitCode = await runProgram(process.argv.slice(2), processTerminal);

// What has failed may have left something open that would keep the process for ever.
if (process.exitCode !== 0) setTimeout(() => process.exit(), 1000).unref();
