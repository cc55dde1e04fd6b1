/** A recording adds to the document as it is at the end, so that what others wrote in the meantime stays. */

import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { startRecording } from './start-recording.js';

describe('a document that is edited while a recording runs', () => {
  let directory = '';
  before(() => (directory = mkdtempSync(join(tmpdir(), 'concordat-edited-'))));
  after(() => {
    rmSync(directory, { recursive: true });
  });

  for (const [title, before] of [
    ['keeps the edits', 'openapi: 3.1.0\ninfo: { title: Old, version: "1" }\npaths: {}\n'],
    ['stays, though it was not there at the start', undefined],
  ] as const) {
    it(title, async () => {
      const file = join(directory, `${String(before?.length)}.yaml`);
      if (before !== undefined) writeFileSync(file, before);
      const app = createServer((_request, response) => response.end('hello')).listen(0, '127.0.0.1');
      await once(app, 'listening');
      const target = new URL(`http://127.0.0.1:${String((app.address() as AddressInfo).port)}`);
      const recording = await startRecording({ target, file });
      await (await fetch(`${recording.url}/notes`)).text();
      writeFileSync(file, 'openapi: 3.1.0\ninfo: { title: Mine, version: "1" }\npaths: {}\n');
      app.close();
      await recording.finish();
      const text = readFileSync(file, 'utf8');
      expect(text).to.include('title: Mine').and.to.include('/notes');
    });
  }
});
