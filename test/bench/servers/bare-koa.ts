/** The baseline: Koa that answers every request with the same bytes, without routing or checks. */

import Koa from 'koa';
import { listen } from './listen.js';

const { headers, body } = JSON.parse(process.argv[2] ?? '') as {
  headers: Record<string, string>;
  body: string;
};

const app = new Koa();
app.use((context) => {
  context.status = 200;
  context.set(headers);
  context.body = body;
});
listen(app);
