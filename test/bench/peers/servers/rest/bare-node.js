/** `node:http` that does the same without checks: no framework, no router, no schemas. */

import { URLSearchParams } from 'node:url';
import { createServer } from 'node:http';
import { listen } from '../listen.js';
import { readJson } from '../read-json.js';
import { addUser, listUsers, readUser } from '../users-answers.js';

function send(response, { status, headers, body }) {
  const text = JSON.stringify(body);
  const fixed = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) };
  response.writeHead(status, { ...headers, ...fixed }).end(text);
}

const server = createServer((request, response) => {
  const [path, query] = request.url.split('?', 2);
  if (path !== '/api/users') return send(response, readUser(path.slice('/api/users/'.length)));
  if (request.method !== 'POST') {
    return send(response, listUsers(Object.fromEntries(new URLSearchParams(query))));
  }
  return readJson(request).then((input) => send(response, addUser(input)));
});
listen(server);
