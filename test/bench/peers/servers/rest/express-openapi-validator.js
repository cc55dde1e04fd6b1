/** Express with express-openapi-validator over the contract. */

import express from 'express';
import openapiValidator from 'express-openapi-validator';
import { listenWith } from '../listen.js';
import { addUser, listUsers, readUser } from '../users-answers.js';
import { contract } from './contract-file.js';

const app = express();
app.disable('etag');
app.disable('x-powered-by');
app.use(express.json());
// As in production: responses are not checked, and neither is the contract.
app.use(
  openapiValidator.middleware({
    apiSpec: contract,
    validateApiSpec: false,
    validateRequests: { removeAdditional: false, coerceTypes: false },
    validateResponses: false,
    validateSecurity: false,
  }),
);

const send = (response, { status, headers, body }) => response.status(status).set(headers).json(body);
app.get('/api/users/:id', (request, response) => send(response, readUser(request.params.id)));
app.get('/api/users', (request, response) => send(response, listUsers(request.query)));
app.post('/api/users', (request, response) => send(response, addUser(request.body)));
// Express knows a handler of errors by its four parameters.
app.use((error, _request, response, _next) => {
  response.status(error.status ?? 500).json({ error: error.message });
});
await listenWith(app);
