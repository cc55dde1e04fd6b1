/** Judgements of what a server says over WebSocket. */
import { expect } from 'chai';
import { buildSchema } from 'graphql';
import { judgeConversation } from '../../../../src/tools/verify/graphql/answers/verdict.js';
import type { Answer } from '../../../../src/tools/verify/run/server.js';

const schema = buildSchema('type Query { a: Int } type Subscription { b: Int }');
const ACK = '{"type":"connection_ack"}';

function findingOf(text: string, closed?: { readonly code: number; readonly reason: string }): unknown {
  const answer: Answer = { status: 101, headers: {}, text, ...(closed && { closed }) };
  const refused = { refusal: 'the operationName is that of no operation', breaks: 'schema' } as const;
  return judgeConversation(schema, {}, refused, answer).finding;
}

describe('judgeConversation', () => {
  it('reads the end of a connection from its code', () => {
    const closed = { code: 4400, reason: 'Bad request' };
    expect(findingOf(`${ACK}\nclosed 4400 Bad request`, closed)).to.equal(undefined);
  });

  it('does not take a message for the end of a connection', () => {
    expect(findingOf(`${ACK}\nclosed 4400 Bad request`)).to.deep.equal({
      rule: 'wrong-answer',
      message: 'a message is not JSON',
      place: '',
    });
  });
});
