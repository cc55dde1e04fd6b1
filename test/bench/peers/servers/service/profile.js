/** The user that a token stands for, as a route of Fastify. The user is looked up, so that a revoked token is refused at once. */

import { user as userSchema, userHeaders, userQuery } from '../rest/user-schemas.js';
import { etagOf, recordOf } from '../users.js';

/** @param findUser - of the id of a token */
export function profileRoute(app, send, findUser) {
  const failure = (error) => ({ status: 401, headers: { 'WWW-Authenticate': 'Bearer' }, body: { error } });
  const authenticate = async (request, reply) => {
    try {
      await request.jwtVerify();
    } catch {
      return send(reply, failure('Invalid token'));
    }
    const { userId, iat } = request.user;
    const user = await findUser(userId);
    const isRevoked = user?.sessionsFrom !== undefined && iat * 1000 <= Date.parse(user.sessionsFrom);
    if (user?.status !== 'active' || isRevoked) return send(reply, failure('Invalid token'));
    request.user = user;
  };
  app.get(
    '/api/profile',
    {
      config: { operation: 'getProfile' },
      schema: { querystring: userQuery, headers: userHeaders, response: { 200: userSchema } },
      onRequest: authenticate,
    },
    ({ user }, reply) => {
      const headers = { ETag: etagOf(user), 'Cache-Control': 'private, no-cache' };
      send(reply, { status: 200, headers, body: recordOf(user) });
    },
  );
}
