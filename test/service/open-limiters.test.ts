/** Tests where the service counts failed sign-ins: in Redis when configured, and in its own memory while Redis is unavailable. */
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { type Limiters, openLimiters } from '../../src/service/open/adapters.js';
import { failureLog } from '../../src/service/watch/failure-log.js';
import { Metrics } from '../../src/service/watch/metrics.js';
import { Shutdown } from '../../src/service/listen/shutdown.js';
import { RedisServer, withRedis } from '../support/redis-server.js';
import { TestService } from '../support/service.js';
import { admin, signInSettings, signUp } from '../support/sign-in.js';
import { until } from '../support/until.js';

const failures = Array.from({ length: 10 }, (_, index) => index);

describe('openLimiters without Redis', () => {
  const open = (rateLimit?: number): Promise<Limiters> =>
    openLimiters(
      { events: { kind: 'memory' }, rateLimit, signUpLimit: undefined },
      { failures: failureLog(pino({ enabled: false })), metrics: new Metrics(), shutdown: new Shutdown() },
    );

  it('allows ten failed sign-ins per process', async () => {
    const [one, other] = [await open(), await open()];
    for (const index of failures) expect(await one.signIns.take('key'), String(index)).to.equal(undefined);
    expect(await one.signIns.take('key')).to.be.within(1, 60);
    expect(await other.signIns.take('key')).to.equal(undefined);
  });

  it('limits requests as the settings say, and not at all without that setting', async () => {
    expect((await open()).requests).to.equal(undefined);
    const { requests } = await open(2);
    expect([await requests?.take('key'), await requests?.take('key')]).to.deep.equal([undefined, undefined]);
    expect(await requests?.take('key')).to.be.within(1, 60);
  });
});

withRedis('a service that has Redis', () => {
  let server: RedisServer;
  let observer: Redis;
  const service = new TestService();

  before(async () => {
    server = await RedisServer.start();
    observer = new Redis(server.url);
    observer.on('error', () => undefined);
    await service.start({ ...signInSettings, events: { kind: 'redis', url: server.url } });
  });
  after(async () => {
    await service.stop();
    observer.disconnect();
    await server.kill();
  });

  let addresses = 0;
  /** Signs in from a given address. @returns the status */
  async function signIn(email: string, password: string): Promise<number> {
    const headers = { 'x-forwarded-for': `192.0.2.${String(++addresses)}` };
    return (await service.post('/api/auth/login', { email, password }, headers)).status;
  }

  async function failTenTimes(email: string): Promise<void> {
    for (const index of failures) {
      expect(await signIn(email, 'wrong'), `failure ${String(index + 1)}`).to.equal(401);
    }
    expect(await signIn(email, 'wrong')).to.equal(429);
  }

  it('counts failed sign-ins there for a minute, without storing the email', async () => {
    await until('it is connected', async () => {
      await signIn('nobody@example.com', 'wrong');
      return (await observer.keys('concordat:attempts:*')).length > 0;
    });
    await observer.flushall();
    await failTenTimes('somebody@example.com');
    const keys = await observer.keys('*');
    const ofEmail = keys.filter((key) => key.startsWith('concordat:attempts:email:'));
    expect(ofEmail).to.have.length(1);
    expect(keys.join()).not.to.include('somebody');
    expect(await observer.get(String(ofEmail[0]))).to.equal('10');
    expect(await observer.ttl(String(ofEmail[0]))).to.be.within(1, 60);
  });

  it('signs users in and counts in its own memory while Redis hangs or is down', async () => {
    const { email } = await signUp(service);
    server.pause();
    expect(await signIn(admin.email, admin.password)).to.equal(200);
    server.resume();
    await server.kill();
    await failTenTimes(email);
    expect(await signIn(admin.email, admin.password)).to.equal(200);
  });
});
