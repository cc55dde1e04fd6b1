/** Tests the lines of failures: their causes, how many there are, and that no secret is in them. */

import { mock } from 'node:test';
import { expect } from 'chai';
import { memoryRequest } from '@concordat/runtime';
import { ServiceError } from '../../src/core/model/error.js';
import { type FailureLog, failureLog, rejectionLog } from '../../src/service/watch/failure-log.js';
import { openLog } from '../../src/service/watch/log.js';
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
  beforeEach(async () => {
    mock.timers.enable({ apis: ['setInterval'] });
    lines = [];
    const write = (line: string): void => void lines.push(JSON.parse(line) as (typeof lines)[number]);
    failures = failureLog(await openLog('info', { write }));
  });
  afterEach(() => {
    failures.close();
    mock.timers.reset();
  });

  const report = (error: unknown, id = 'r1'): void => {
    const headers = { 'x-request-id': id };
    failures.request(error, memoryRequest({ path: '/api/users', headers }));
  };

  it('has one line for a cause, and then its count every ten seconds', () => {
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
    mock.timers.tick(10_000);
    expect(lines).to.have.length(2);
    expect(lines[1]).to.include({
      msg: 'connect ECONNREFUSED 10.0.0.5:5432 … and 529 more in the last 10 s',
      count: 529,
      cause: 'connect ECONNREFUSED 10.0.0.5:5432',
    });
    report(unavailable(refused));
    mock.timers.tick(10_000);
    expect(lines.at(-1)).to.include({ count: 1 });
    mock.timers.tick(10_000);
    report(unavailable(refused));
    expect(lines, 'a line again, because ten seconds were without').to.have.length(4);
  });

  it('writes the counts of an outage when it ends, before the line of its end', () => {
    for (let count = 0; count < 5; count += 1) report(unavailable(refused));
    failures.outageEnded({ dependency: 'database' }, 'the database is back after 2 s');
    expect(lines.slice(1)).to.have.length(2);
    expect(lines[1]).to.include({ count: 4, ...server });
    expect(lines[2]).to.include({ level: 40, msg: 'the database is back after 2 s', dependency: 'database' });
  });

  it('counts on when one connection to a server is restored and another still fails', () => {
    report(unavailable(refused));
    failures.outageEnded({ dependency: 'events' }, 'the connection for events is restored');
    report(unavailable(refused));
    mock.timers.tick(10_000);
    expect(lines.filter(({ level, count }) => level === 50 && count === undefined)).to.have.length(1);
    expect(lines.at(-1)).to.include({ count: 1, ...server });
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
    failures.close();
    expect(lines.at(-1)).to.include({ count: 5 });
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
    expect(lines).to.have.length(101);
  });
});
