/** The operations on users as routes of Fastify, with the contract's schemas for requests and responses. */

import * as schemas from './rest/user-schemas.js';
import * as inMemory from './users-answers.js';

/** A wrong type is refused, and so is a field that the contract does not have. */
export const strictAjv = { customOptions: { removeAdditional: false, coerceTypes: false } };

/**
 * @param send - answers a request with `{ status, headers, body }`
 * @param answers - what is answered; promises where `send` awaits them
 */
export function userRoutes(app, send = sendAnswer, answers = inMemory) {
  const { user, userPage } = schemas;
  // Text is another type than the contract's.
  app.removeContentTypeParser('text/plain');
  app.get(
    '/api/users/:id',
    {
      config: { operation: 'getUser' },
      schema: {
        params: schemas.userParams,
        querystring: schemas.userQuery,
        headers: schemas.userHeaders,
        response: { 200: user },
      },
    },
    (request, reply) => send(reply, answers.readUser(request.params.id)),
  );
  app.get(
    '/api/users',
    {
      config: { operation: 'listUsers' },
      schema: {
        querystring: schemas.listQuery,
        headers: schemas.listHeaders,
        response: { 200: userPage },
      },
    },
    (request, reply) => send(reply, answers.listUsers(request.query)),
  );
  app.post(
    '/api/users',
    {
      config: { operation: 'createUser' },
      schema: { headers: schemas.createHeaders, body: schemas.userInput, response: { 201: user } },
    },
    (request, reply) => send(reply, answers.addUser(request.body)),
  );
}

function sendAnswer(reply, { status, headers, body }) {
  reply.code(status).headers(headers).send(body);
}
