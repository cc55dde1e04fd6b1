/** Concordat's engine behind a bare Koa, as the others are bare. */

import Koa from 'koa';
import { graphqlJit } from '../../../../dist/src/adapters/execution/graphql-jit.js';
import { koaGraphql } from '../../../../dist/src/adapters/transport/koa.js';
import { serviceGraphqlEngine } from '../../../../dist/src/core/resolvers/engine.js';
import { graphqlHttp } from '../../../../dist/src/engine/graphql/index.js';
import { contextOf, services } from './data.js';

const engine = serviceGraphqlEngine({ services, report: console.error, compile: graphqlJit });
const app = new Koa();
app.use(koaGraphql(graphqlHttp(engine, { contextOf })));
const server = app.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
