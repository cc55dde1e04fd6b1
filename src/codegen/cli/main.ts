/** The entry point of `bin/concordat.js`. */

import { processTerminal, runProcess } from '@concordat/runtime/terminal';
import { runProgram } from './program.js';

await runProcess((parameters) => runProgram(parameters, processTerminal));
