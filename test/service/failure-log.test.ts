/** Tests the lines of failures: their causes, how many there are, and that no secret is in them. */

import { expect } from 'chai';
import { memoryRequest } from '@concordat/runtime';
import { ServiceError } from '../../src/core/model/error.js';
import { type FailureLog, failureLog, rejectionLog } from '../../src/service/watch/failure-log.js';
import { openLog, RepeatedLines } from '../../src/service/watch/log.js';
import { Metrics } from '../../src/service/watch/metrics.js';

const server = { host: '10.0.0.5', port: 5432 };
const refused = Object.assign(new Error('connect ECONNREFUSED 10.0.0.5:5432'), {
  code: 'ECONNREFUSED',
  address: server.host,
  port: server.port,
});

/** An error as PostgreSQL sends it. */
function postgresError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code, severity: 'FATAL', ...server });
}

function unavailable(cause?: unknown, detail?: string): ServiceError {
  const options = { ...(cause !== undefined && { cause }), ...(detail !== undefined && { detail }) };
  return new ServiceError('unavailable', 'The database does not answer: try again later', options);
}

describe('the log of failures', () => {
  let lines: Readonly<Record<string, unknown>>[] = [];
  let failures: FailureLog;
  let now = 0;
  beforeEach(async () => {
    lines = [];
    const write = (line: string): void => void lines.push(JSON.parse(line) as (typeof lines)[number]);
    failures = failureLog(await openLog('info', { write }), new RepeatedLines(() => now));
  });

  const report = (error: unknown, id = 'r1'): void => {
    const headers = { 'x-request-id': id };
    failures.request(error, memoryRequest({ path: '/api/users', headers }));
  };

  it('has one line for a cause in ten seconds, with the number of those that were left out before', () => {
    for (let count = 0; count < 530; count += 1) report(unavailable(refused));
    expect(lines).to.have.length(1);
    expect(lines[0]).to.include({
      level: 50,
      msg: 'a request failed',
      requestId: 'r1',
      path: '/api/users',
      cause: 'connect ECONNREFUSED 10.0.0.5:5432',
      code: 'ECONNREFUSED',
      ...server,
    });
    expect(lines[0]).not.to.have.property('err');
    now += 9_999;
    report(unavailable(refused));
    expect(lines).to.have.length(1);
    now += 1;
    report(unavailable(refused), 'r2');
    expect(lines).to.have.length(2);
    expect(lines[1]).to.include({ msg: 'a request failed', requestId: 'r2', more: 530 });
    now += 10_000;
    report(unavailable(refused));
    expect(lines[2]).not.to.have.property('more');
  });

  it('says once that a connection timed out', () => {
    const ended = new Error('Connection terminated unexpectedly');
    const text = 'Connection terminated due to connection timeout';
    report(unavailable(Object.assign(new Error(text, { cause: ended }), server), text));
    expect(lines[0]).to.include({ cause: text, ...server });
  });

  it('counts whatever ends the connection to one server together, and other causes apart', () => {
    failures.other(postgresError('57P01', 'terminating connection due to administrator command'), 'it broke');
    report(unavailable(refused));
    report(unavailable(Object.assign(new Error('timeout exceeded when trying to connect'), server)));
    expect(lines).to.have.length(1);
    expect(lines[0]).to.include({ sqlState: '57P01', ...server });
    report(unavailable(postgresError('25006', 'cannot execute INSERT in a read-only transaction')));
    report(unavailable(undefined, 'other tasks of this kind have waited too long for a lock'));
    expect(lines.slice(1).map(({ sqlState, cause }) => [sqlState, cause])).to.deep.equal([
      ['25006', 'cannot execute INSERT in a read-only transaction'],
      [undefined, 'other tasks of this kind have waited too long for a lock'],
    ]);
  });

  it('has unexpected errors in full, up to ten of one place', () => {
    for (let count = 0; count < 15; count += 1) report(new Error('the disk is on fire'), `r${String(count)}`);
    expect(lines).to.have.length(10);
    expect(lines[9]).to.include({ requestId: 'r9', cause: 'the disk is on fire' });
    expect(lines[9]?.['err']).to.include({ type: 'Error', message: 'the disk is on fire' });
  });

  it('has no password, wherever drivers put it', () => {
    const secret = 'hunter2';
    // A password may contain the sign that ends it: the last one counts.
    const url = `postgres://ada:p@${secret}@db/x`;
    const error = Object.assign(new Error(`cannot use ${url}`, { cause: new Error(`no ${url}`) }), {
      command: { name: 'auth', args: [secret] },
      input: url,
    });
    report(error);
    report(unavailable(error));
    failures.other(new AggregateError([refused]), 'it broke');
    expect(JSON.stringify(lines)).not.to.include(secret);
    expect(lines.at(-1)).to.include({ cause: 'connect ECONNREFUSED 10.0.0.5:5432', ...server });
  });

  it('has the stack of the cause of an unexpected error as text', () => {
    report(new Error('it broke', { cause: new TypeError('no text') }));
    expect(lines[0]?.['err'])
      .to.have.property('cause')
      .that.matches(/^TypeError: no text\n {4}at /);
  });

  it('has the cause of a rejection that nothing handled', () => {
    rejectionLog({ metrics: new Metrics(), failures })(new Error('forgotten'));
    expect(lines[0]).to.include({
      msg: 'a promise was rejected, and nothing handled it',
      cause: 'forgotten',
    });
  });

  it('has a bounded number of causes', () => {
    for (let count = 0; count < 1000; count += 1) report(unavailable(undefined, `cause ${String(count)}`));
    expect(lines).to.have.length(201);
    now += 10_000;
    report(unavailable(undefined, 'cause 1000'));
    expect(lines).to.have.length(202);
  });
});
