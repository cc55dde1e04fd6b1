/** The core on a memory store with one user, behind Koa, as in an application of another team. */

import Koa from 'koa';
import { anonymous, createServices, openPolicy, serviceEngine } from '@concordat/core';
import { contract } from '@concordat/core/contract';
import { xmlEncoder } from 'concordat/xml';
import { koaTransport } from 'concordat/koa';
import { memoryStorage } from '@concordat/core/storage/memory';
import { listen } from './listen.js';
import { bareUserInput } from '../../support/bare-records.js';

const services = createServices({ storage: memoryStorage(), policy: openPolicy });
const user = { name: 'Ada Lovelace', email: 'ada@example.com', city: 'London' };
await services.users.create(anonymous, { ...bareUserInput, ...user });
const engine = serviceEngine({ services, xml: xmlEncoder(contract.xmlNames), report: console.error });
const app = new Koa();
app.use(koaTransport(engine).routes());
listen(app);
