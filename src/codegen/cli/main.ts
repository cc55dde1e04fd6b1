/** The entry point of `bin/concordat.js`. */

import { processTerminal, runProcess } from '@concordat/runtime/terminal';
import { optimiseLater } from './optimise-later.js';
import { runProgram } from './program.js';

optimiseLater();
await runProcess((parameters) => runProgram(parameters, processTerminal));
