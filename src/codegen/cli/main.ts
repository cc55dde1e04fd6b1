/** The entry point of `bin/concordat.js`. */

import { processTerminal, runProcess } from 'concordat/terminal';
import { runProgram } from './program.js';

await runProcess((parameters) => runProgram(parameters, processTerminal));
