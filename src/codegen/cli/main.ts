/** The entry point of `bin/concordat.js`. */

import { setFlagsFromString } from 'node:v8';
import { processTerminal, runProcess } from 'concordat/terminal';
import { runProgram } from './program.js';

// V8 would spend a quarter of the time on optimising functions that a command runs for a second. They wait eight times as long.
setFlagsFromString('--interrupt-budget=1000000');
await runProcess((parameters) => runProgram(parameters, processTerminal));
