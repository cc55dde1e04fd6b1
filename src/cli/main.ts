#!/usr/bin/env node
/** The program that the package installs, and what `npm start` runs. */

import { runProgram } from './program.js';
import { processTerminal } from './terminal.js';

process.exitCode = await runProgram(process.argv.slice(2), processTerminal);

// What has failed may have left something open that would keep the process for ever.
if (process.exitCode !== 0) setTimeout(() => process.exit(), 1000).unref();
