/** The core behind Koa. */

import Koa from 'koa';
import { koaTransport } from 'concordat/koa';
import { listen } from '../listen.js';
import { engine } from './concordat.js';

listen(new Koa().use(koaTransport(engine).routes()));
