/** The core behind `node:http`. */

import { createServer } from 'node:http';
import { nodeTransport } from '@concordat/runtime/node';
import { listen } from '../listen.js';
import { engine } from './concordat.js';

listen(createServer(nodeTransport(engine)));
