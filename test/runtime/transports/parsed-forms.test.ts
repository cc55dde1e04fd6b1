/** Multipart forms that a parser in front of a transport has read: the engine gets the same parts as without the parser. */

import type { RequestListener } from 'node:http';
import { createRequire } from 'node:module';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import multipart, { type FastifyMultipartAttachFieldsToBodyOptions } from '@fastify/multipart';
import { expect } from 'chai';
import express from 'express';
import fastify from 'fastify';
import Koa from 'koa';
import { koaBody } from 'koa-body';
import multer from 'multer';
import type { RestEngine } from '../../../src/runtime/index.js';
import { fastifyTransport } from '../../../src/runtime/transports/fastify.js';
import { koaTransport } from '../../../src/runtime/transports/koa.js';
import { nodeTransport } from '../../../src/runtime/transports/node.js';
import { oneOperation } from '../rest/one-operation.js';
import { withListener } from './transports.js';

/** It has no types; its functions are those of multer, as middleware of Koa. */
const koaMulter = createRequire(import.meta.url)('@koa/multer') as typeof multer;

const disk = mkdtempSync(join(tmpdir(), 'parsed-forms-'));
after(() => {
  rmSync(disk, { recursive: true });
});

type Engine = RestEngine<string>;

const onKoa = (engine: Engine, parser: Koa.Middleware): RequestListener =>
  new Koa().use(parser).use(koaTransport(engine).routes()).callback();

const onExpress = (engine: Engine, parser: express.RequestHandler): RequestListener =>
  express().use(parser).use(nodeTransport(engine)) as RequestListener;

async function onFastify(
  engine: Engine,
  attachFieldsToBody?: FastifyMultipartAttachFieldsToBodyOptions['attachFieldsToBody'] | false,
): Promise<RequestListener> {
  const app = fastify();
  await app.register(multipart, (attachFieldsToBody ? { attachFieldsToBody } : {}) as never);
  app.all('/*', fastifyTransport(engine));
  await app.ready();
  return (request, response) => {
    app.routing(request, response);
  };
}

const parsers: Readonly<Record<string, (engine: Engine) => RequestListener | Promise<RequestListener>>> = {
  'no parser': (engine) => nodeTransport(engine),
  'multer in memory': (engine) => onExpress(engine, multer({ storage: multer.memoryStorage() }).any()),
  'multer on disk': (engine) => onExpress(engine, multer({ dest: disk }).any()),
  'multer, by fields': (engine) =>
    onExpress(engine, multer().fields([{ name: 'photo' }, { name: 'others', maxCount: 2 }])),
  '@koa/multer in memory': (engine) => onKoa(engine, koaMulter().any() as never),
  '@koa/multer on disk': (engine) => onKoa(engine, koaMulter({ dest: disk }).any() as never),
  'koa-body': (engine) =>
    onKoa(engine, koaBody({ multipart: true, formidable: { uploadDir: disk } }) as never),
  '@fastify/multipart': (engine) => onFastify(engine),
  '@fastify/multipart with attachFieldsToBody': (engine) => onFastify(engine, true),
};

const text = { type: 'string' } as const;
const file = { type: 'file' } as const;
const style = { style: 'form', explode: true } as const;
const fields = {
  title: { ...style, value: text },
  tags: { ...style, value: { type: 'array', items: text } },
  photo: { ...style, value: file },
  others: { ...style, value: { type: 'array', items: file } },
} as const;
const parts = {
  title: { required: true, value: text },
  tags: { several: true, value: text },
  photo: { value: file },
  others: { several: true, value: file },
} as const;

type Answer = Record<string, unknown>;

/** What a handler sees of a form, whole or part by part. */
const engineOf = (kind: 'multipart' | 'parts') =>
  oneOperation({
    operation: {
      requestBody: {
        required: true,
        content: {
          'multipart/form-data': kind === 'multipart' ? { kind, fields } : { kind, fields: parts },
        },
      },
    },
    handler: async ({ body }) => {
      const seen: Answer = {};
      const add = (name: string, value: unknown): void => {
        seen[name] = name in seen ? [seen[name], value].flat() : value;
      };
      const described = (given: File, bytes: ArrayBuffer): string =>
        `${given.name} ${given.type} ${Buffer.from(bytes).toString('hex')}`;
      if (kind === 'multipart') {
        for (const [name, value] of Object.entries(body as Answer))
          for (const each of [value].flat())
            add(name, each instanceof File ? described(each, await each.arrayBuffer()) : each);
      } else {
        for await (const part of body as AsyncIterable<Answer>) {
          const { name, value, filename, contentType, body: pieces } = part;
          if (pieces === undefined) add(String(name), value);
          else {
            const bytes = await new Response(pieces as never).arrayBuffer();
            add(String(name), described({ name: filename, type: contentType } as File, bytes));
          }
        }
      }
      // koa-body lists files as they are written.
      if (Array.isArray(seen['others'])) seen['others'].sort();
      return { status: 200, body: seen };
    },
  });

for (const [name, listen] of Object.entries(parsers)) {
  describe(`a multipart form behind ${name}`, () => {
    for (const kind of ['multipart', 'parts'] as const) {
      it(`has its fields and files, read as ${kind}`, async () => {
        const engine = engineOf(kind);
        await withListener(await listen(engine), async (url) => {
          const form = new FormData();
          form.append('title', 'Zoë & "co"\r\n--x');
          form.append('tags', 'a');
          form.append('tags', 'b');
          form.append(
            'photo',
            new File([Uint8Array.from([0, 13, 10, 45, 45, 255])], 'naïve "1".png', { type: 'image/png' }),
          );
          form.append('others', new File(['one'], '1.txt', { type: 'text/plain' }));
          form.append('others', new File(['two'], '2.txt', { type: 'text/plain' }));
          const response = await fetch(`${url}/thing`, { method: 'POST', body: form });
          expect(engine.reported).to.deep.equal([]);
          expect([response.status, await response.json()]).to.deep.equal([
            200,
            {
              title: 'Zoë & "co"\r\n--x',
              tags: ['a', 'b'],
              photo: 'naïve "1".png image/png 000d0a2d2dff',
              others: ['1.txt text/plain 6f6e65', '2.txt text/plain 74776f'],
            },
          ]);
        });
      });
    }

    it('without files, and over the limit', async () => {
      const engine = engineOf('multipart');
      await withListener(await listen(engine), async (url) => {
        const send = async (title: string) => {
          const form = new FormData();
          form.append('title', title);
          // Chunked, so that only the body itself shows its size.
          const { body, headers } = new Response(form);
          const type = headers.get('content-type') ?? '';
          const init = { method: 'POST', body, duplex: 'half', headers: { 'content-type': type } };
          const response = await fetch(`${url}/thing`, init as RequestInit);
          return [response.status, (await response.text()).slice(0, 40)];
        };
        expect(await send('only')).to.deep.equal([200, '{"title":"only"}']);
        // The body of Fastify has a limit of its own.
        expect((await send('x'.repeat(1024 * 1024 - 10)))[0]).to.equal(413);
      });
    });
  });
}

describe('a multipart form whose files are gone', () => {
  it('is a masked error, whose report says what to do', async () => {
    const consumed: Koa.Middleware = async (context, next) => {
      for await (const piece of context.req) expect(piece).to.be.instanceOf(Buffer);
      await next();
    };
    for (const listen of [
      (engine: Engine) => onFastify(engine, 'keyValues'),
      (engine: Engine) => onKoa(engine, consumed),
    ]) {
      const engine = engineOf('multipart');
      await withListener(await listen(engine), async (url) => {
        const body = new FormData();
        body.append('photo', new File(['one'], '1.txt'));
        expect((await fetch(`${url}/thing`, { method: 'POST', body })).status).to.equal(500);
        expect(String(engine.reported[0])).to.match(/read .*: mount/);
      });
    }
  });

  it('never makes the engine read a file that a client names', async () => {
    const engine = engineOf('multipart');
    await withListener(onExpress(engine, multer().any()), async (url) => {
      const body = new FormData();
      for (const member of ['path', 'filepath', 'toBuffer', 'fieldname', 'fields', 'type'])
        body.append(`title[${member}]`, '/etc/passwd');
      const response = await fetch(`${url}/thing`, { method: 'POST', body });
      expect(await response.text()).to.not.contain('root:');
    });
  });
});
