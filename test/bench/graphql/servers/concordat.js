/** Concordat's engine behind a bare Koa; the other servers are bare too. */

import Koa from 'koa';
import { graphqlJit } from 'concordat/graphql-jit';
import { koaGraphql } from 'concordat/koa';
import { serviceGraphqlEngine } from '@concordat/core/graphql';
import { graphqlHttp } from 'concordat/graphql';
import { contextOf, services } from './data.js';

const engine = serviceGraphqlEngine({ services, report: console.error, compile: graphqlJit });
const app = new Koa();
app.use(koaGraphql(graphqlHttp(engine, { contextOf })));
const server = app.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
