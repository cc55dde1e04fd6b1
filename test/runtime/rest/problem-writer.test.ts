/** How errors look to the client. */
import { expect } from 'chai';
import { Problem, problemDetails, type ProblemFormat } from '../../../src/runtime/http/problem.js';
import { compileProblemWriter } from '../../../src/runtime/rest/recovery.js';

const both: ProblemFormat = {
  mediaTypes: ['application/json', 'application/xml'],
  body: ({ message }) => ({ error: message }),
};
const encoders = {
  'application/xml': (value: unknown, schema: string | undefined) =>
    `<${String(schema)}>${JSON.stringify(value)}`,
};

describe('compileProblemWriter', () => {
  it('writes problem details where the service has no error format (RFC 9457)', () => {
    const write = compileProblemWriter(problemDetails, {});
    expect(write(new Problem(404, 'Not here'), 'text/html')).to.deep.equal({
      status: 404,
      headers: { 'Content-Type': 'application/problem+json' },
      body: '{"type":"about:blank","title":"Not Found","status":404,"detail":"Not here"}',
    });
  });

  it('writes the shape of the service in what suits the client, with Vary', () => {
    const write = compileProblemWriter(both, encoders);
    expect(write(new Problem(400, 'No'), 'application/xml')).to.deep.equal({
      status: 400,
      headers: { 'Content-Type': 'application/xml', Vary: 'Accept' },
      body: '<Error>{"error":"No"}',
    });
    expect(write(new Problem(400, 'No'), undefined).body).to.equal('{"error":"No"}');
  });

  it('writes the first media type for clients that accept none: an error in the wrong format is better than no error', () => {
    const write = compileProblemWriter(both, encoders);
    for (const accept of ['text/html', '*/*;q=0', 'application/json;q=0, application/xml;q=0']) {
      expect(write(new Problem(406, 'No'), accept).headers['Content-Type']).to.equal('application/json');
    }
  });

  it('keeps the headers of the problem, but not a media type among them', () => {
    const write = compileProblemWriter(both, encoders);
    const problem = new Problem(405, 'No', { Allow: 'GET', 'Content-Type': 'text/html' });
    expect(write(problem, undefined).headers).to.deep.equal({
      Allow: 'GET',
      'Content-Type': 'application/json',
      Vary: 'Accept',
    });
  });

  it('names the request headers of the operation in Vary, beside those of the problem', () => {
    const vary = { negotiated: 'Accept, X-Version', other: 'X-Version' };
    const refused = new Problem(403, 'No', { Vary: 'Origin' });
    expect(compileProblemWriter(both, encoders)(refused, undefined, vary).headers).to.include({
      Vary: 'Origin, Accept, X-Version',
    });
    expect(compileProblemWriter(problemDetails, {})(refused, undefined, vary).headers).to.include({
      Vary: 'Origin, X-Version',
    });
    expect(compileProblemWriter(problemDetails, {})(refused, undefined).headers).to.include({
      Vary: 'Origin',
    });
  });

  it('throws for headers that could begin another', () => {
    const write = compileProblemWriter(both, encoders);
    expect(() => write(new Problem(401, 'No', { A: 'b\r\nC: d' }), undefined)).to.throw(
      TypeError,
      'A header cannot hold',
    );
  });

  it('writes +json without an encoder, and is not made without the others', () => {
    const format = (mediaType: string): ProblemFormat => ({ mediaTypes: [mediaType], body: () => 1 });
    expect(
      compileProblemWriter(format('application/vnd.x+json'), {})(new Problem(400, ''), '').body,
    ).to.equal('1');
    for (const mediaType of ['application/xml', 'text/plain', 'application/jsonx']) {
      expect(() => compileProblemWriter(format(mediaType), {})).to.throw(
        `there is no encoder for ${mediaType}`,
      );
    }
  });
});
