/** Koa with openapi-backend over the contract. */

import addFormats from 'ajv-formats';
import Koa from 'koa';
import { OpenAPIBackend } from 'openapi-backend';
import { listenWith } from '../listen.js';
import { readJson } from '../read-json.js';
import { addUser, listUsers, readUser } from '../users-answers.js';
import { contract } from './contract-file.js';

const failure = (status, error) => ({ status, headers: {}, body: { error } });

const api = new OpenAPIBackend({
  definition: contract,
  // It checks documents of OpenAPI 3.1 against the schema of 3.0, and then has no routes.
  quick: true,
  // Without this, formats are not checked.
  customizeAjv: (ajv) => addFormats(ajv),
  handlers: {
    getUser: ({ request }) => readUser(request.params.id),
    listUsers: ({ request }) => listUsers(request.query),
    createUser: ({ request }) => addUser(request.requestBody),
    validationFail: ({ validation }) => failure(400, validation.errors?.[0]?.message ?? 'Bad request'),
    notFound: () => failure(404, 'Not found'),
  },
});
await api.init();

async function answerOf(context) {
  const { method, path, query, headers, req } = context;
  if (method !== 'POST') return api.handleRequest({ method, path, query, headers });
  // It leaves other types unchecked.
  if (!context.is('application/json')) return failure(415, 'Unsupported media type');
  try {
    return await api.handleRequest({ method, path, query, headers, body: await readJson(req) });
  } catch (error) {
    if (error instanceof SyntaxError) return failure(400, error.message);
    throw error;
  }
}

const app = new Koa();
app.use(async (context) => {
  const { status, headers, body } = await answerOf(context);
  context.status = status;
  context.set(headers);
  context.body = body;
});
await listenWith(app.callback());
