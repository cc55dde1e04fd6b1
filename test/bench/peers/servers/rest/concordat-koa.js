/** The core behind Koa; `send` writes its answers past Koa. */

import Koa from 'koa';
import { koaTransport, sendPastKoa } from '@concordat/runtime/koa';
import { listen } from '../listen.js';
import { engine } from './concordat.js';

const options = process.argv.at(-1) === 'send' ? { send: sendPastKoa } : {};
listen(new Koa().use(koaTransport(engine, options).routes()));
