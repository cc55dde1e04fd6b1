/** Koa that does the same without checks: no router, no schemas. */

import Koa from 'koa';
import { listen } from '../listen.js';
import { readJson } from '../read-json.js';
import { addUser, listUsers, readUser } from '../users-answers.js';

function send(context, { status, headers, body }) {
  context.status = status;
  context.set(headers);
  context.type = 'application/json';
  context.body = JSON.stringify(body);
}

const app = new Koa();
app.use((context) => {
  const { method, path, query, req } = context;
  if (path !== '/api/users') return send(context, readUser(path.slice('/api/users/'.length)));
  if (method !== 'POST') return send(context, listUsers(query));
  return readJson(req).then((input) => send(context, addUser(input)));
});
listen(app);
