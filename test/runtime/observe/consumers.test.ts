/** What passes an exchange on has a function of its own get it when it is read, also where it is not compared. */

import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { Observer, ReadExchange } from '../../../src/runtime/observe/index.js';
import { shopObserver } from './shop-contract.js';

const JSON_TYPE = ['content-type', 'application/json'] as const;

/** Passes an exchange on, and reads it. */
async function pass(
  { open, settled }: Observer,
  line: string,
  body: string | Uint8Array,
  answer: string | Uint8Array,
  answerHeaders: readonly (readonly [string, string])[] = [JSON_TYPE],
): Promise<ReadExchange | undefined> {
  let read: ReadExchange | undefined;
  const [method = '', target = ''] = line.split(' ');
  const headers = [['Host', 'x'], JSON_TYPE, ['content-length', String(body.length)], ['x-a', '1'], ['X-A', '2']] as const; // prettier-ignore
  const passed = open(method, target, headers, (exchange) => (read = exchange));
  passed?.request?.add(body);
  await passed?.enforced?.rejection();
  passed?.response?.add(answer);
  passed?.end(201, answerHeaders);
  // A proxy may see an end twice, or after it broke off.
  passed?.end(500, []);
  passed?.breakOff();
  await settled();
  return read;
}

const textOf = (bytes: Uint8Array | undefined): string | undefined => bytes && Buffer.from(bytes).toString();

describe('observe: consumers of exchanges', () => {
  it('get what is compared, what is checked before, and what the contract does not have', async () => {
    for (const mode of ['report', 'enforce', 'off'] as const)
      for (const path of ['/things', '/other']) {
        const observer = await shopObserver({ mode, modes: mode === 'off' ? { addThing: 'report' } : {} });
        const read = await pass(observer, `POST ${path}?a=b`, '{"name":"Lamp"}', '{"name":"Lamp"}');
        expect(read, `${mode} ${path}`).to.deep.include({
          method: 'POST',
          target: `${path}?a=b`,
          status: 201,
        });
        expect([textOf(read?.requestBody), textOf(read?.responseBody)]).to.deep.equal([
          '{"name":"Lamp"}',
          '{"name":"Lamp"}',
        ]);
        expect(read?.requestHeaders).to.deep.include({ host: 'x', 'x-a': ['1', '2'] });
        expect(observer.counters).to.include({ checked: 1, skipped: 0, undeclared: Number(path === '/other' && mode !== 'off') }); // prettier-ignore
      }
  });

  it('get bodies without their coding, and none that is too large or cannot be read', async () => {
    const observer = await shopObserver({ bodyLimit: 1000 });
    const coded = [JSON_TYPE, ['content-encoding', 'gzip']] as const;
    const list = JSON.stringify('x'.repeat(15_000));
    const read = await pass(observer, 'POST /things', 'x'.repeat(1001), gzipSync(list), coded);
    expect([textOf(read?.requestBody), textOf(read?.responseBody)]).to.deep.equal([undefined, list]);
    const bomb = await pass(observer, 'POST /other', '', gzipSync('x'.repeat(16_001)), coded);
    expect([textOf(bomb?.requestBody), textOf(bomb?.responseBody)]).to.deep.equal(['', undefined]);
    const cut = await pass(observer, 'POST /other', '{}', 'x'.repeat(1001));
    expect([textOf(cut?.requestBody), textOf(cut?.responseBody)]).to.deep.equal(['{}', undefined]);
  });

  it('have their memory released, whatever becomes of the exchange', async () => {
    const observer = await shopObserver({ mode: 'enforce', bodyLimit: 100_000 });
    const body = JSON.stringify({ name: 'Lamp', notes: [{ text: 'x'.repeat(90_000) }] });
    // In total 36 MB, of which 16 MiB are held at one time.
    for (let count = 0; count < 200; count += 1) {
      const path = count % 2 === 0 ? '/things' : '/other';
      const read = await pass(observer, `POST ${path}`, body, body);
      expect([read?.requestBody?.length, read?.responseBody?.length]).to.deep.equal([
        body.length,
        body.length,
      ]);
    }
  });
});
