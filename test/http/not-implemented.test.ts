/** Operations whose implementation has not landed say so, in the document's error shape, after all checks of theirs. */
import { expect } from 'chai';
import { useService } from '../support/service.js';

const refreshToken = { refreshToken: 'x' };

/** A request that the contract finds nothing wrong with. */
const REQUESTS: readonly (readonly [request: string, body?: unknown])[] = [
  ['POST /api/auth/login', { email: 'ada@example.com', password: 'correct horse' }],
  ['POST /api/auth/refresh', refreshToken],
  ['POST /api/auth/logout', refreshToken],
  ['GET /api/auth/idp'],
  ['GET /api/auth/idp/callback'],
];

describe('operations that have not landed', () => {
  const service = useService();

  for (const [request, body] of REQUESTS) {
    const [method = '', path = ''] = request.split(' ');

    it(`${request} answers 501`, async () => {
      const headers = { 'content-type': 'application/json' };
      const answer = await service.send({
        method,
        path,
        ...(body !== undefined && { headers, body: JSON.stringify(body) }),
      });
      expect(answer.status, answer.text).to.equal(501);
      expect((answer.body as { error: string }).error).to.match(/not implemented/i);
    });
  }

  it('do not look at credentials where the contract does not', async () => {
    const headers = { authorization: 'Bearer nonsense' };
    const answer = await service.post('/api/auth/refresh', refreshToken, headers);
    expect(answer.status).to.equal(501);
  });

  it('check what they are sent all the same', async () => {
    const answer = await service.post('/api/auth/login?tokens=three', { email: 'a', password: 'b' });
    expect(answer.status).to.equal(400);
    expect((await service.post('/api/auth/logout', {})).status).to.equal(400);
  });
});
