/** Tests requests whose bodies are in memory. */

import { expect } from 'chai';
import { memoryRequest } from '../../../src/runtime/http/memory-request.js';
import { Problem } from '../../../src/runtime/http/problem.js';

describe('memoryRequest', () => {
  it('has a body as large as the limit, and refuses a larger one', async () => {
    const request = memoryRequest({ method: 'POST', path: '/', body: 'äb' });
    expect(Buffer.from(await request.readBody(3)).toString()).to.equal('äb');
    const refusal: unknown = await request.readBody(2).catch((error: unknown) => error);
    expect(refusal).to.be.instanceOf(Problem).and.to.include({ status: 413 });
  });
});
