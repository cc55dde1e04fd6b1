/** Judgements of what a server says over WebSocket. */
import { expect } from 'chai';
import { type OperationDefinitionNode, buildSchema, parse } from 'graphql';
import { coercedVariables } from '../../../../src/runtime/graphql/index.js';
import { judge, judgeConversation } from '../../../../src/tools/verify/graphql/answers/verdict.js';
import type { Answer } from '../../../../src/tools/verify/run/server.js';

const schema = buildSchema('type Query { a: Int } type Subscription { b: Int }');
const ACK = '{"type":"connection_ack"}';

function findingOf(text: string, closed?: { readonly code: number; readonly reason: string }): unknown {
  const answer: Answer = { status: 101, headers: {}, text, ...(closed && { closed }) };
  const refused = { refusal: 'the operationName is that of no operation', breaks: 'schema' } as const;
  return judgeConversation(schema, {}, refused, answer).finding;
}

describe('judge', () => {
  it('takes no data with a status that says that nothing was executed', () => {
    const document = parse('{ a }');
    const [operation] = document.definitions as readonly [OperationDefinitionNode];
    const request = { method: 'POST', path: '/graphql', query: '', headers: {} };
    const { variables } = coercedVariables(schema, [], {});
    if (variables === undefined) throw new Error('there are no variables');
    const reached = { document, operation, variables, isUndecided: false };
    const headers = { 'content-type': 'application/graphql-response+json' };
    const findingAt = (status: number): unknown =>
      judge(schema, request, reached, { status, headers, text: '{"data":{"a":1}}' }).finding;
    expect(findingAt(200)).to.equal(undefined);
    expect(findingAt(400)).to.deep.equal({
      rule: 'wrong-answer',
      message: 'there is data, and the status is 400',
      place: '',
    });
  });
});

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
