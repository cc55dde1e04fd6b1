/** Files that are attached to anything: uploads by multipart, and downloads. */

import { readFile, unlink } from 'node:fs/promises';
import { Router } from '@koa/router';
import type { Deps } from '../app.js';
import { requireRole } from '../auth.js';
import { AppError, notFound } from '../errors.js';
import type { AppContext, AppState, StoredFile } from '../types.js';

export function fileRoutes({ store }: Deps): Router<AppState, AppContext> {
  const router = new Router<AppState, AppContext>({ prefix: '/files' });

  function find(id: string | undefined): StoredFile {
    const file = store.files.get(id ?? '');
    if (file === undefined) throw notFound('File');
    return file;
  }

  router.post('/', requireRole('staff'), async (ctx) => {
    const uploads = [ctx.request.files?.['file'] ?? []].flat();
    const [upload] = uploads;
    if (upload === undefined) throw new AppError(400, 'NO_FILE', 'Send a part named file');
    const content = await readFile(upload.filepath);
    await Promise.all(uploads.map(({ filepath }) => unlink(filepath)));
    const fields = ctx.request.body as Record<string, unknown> | undefined;
    const label = fields?.['label'];
    const file: StoredFile = {
      id: `file-${String(store.next('file')).padStart(4, '0')}`,
      name: upload.originalFilename ?? 'unnamed',
      type: upload.mimetype ?? 'application/octet-stream',
      size: content.length,
      label: typeof label === 'string' ? label : null,
      content,
    };
    store.files.set(file.id, file);
    ctx.status = 201;
    ctx.set('Location', `/files/${file.id}`);
    const { id, name, type, size } = file;
    ctx.body = { id, name, type, size, label: file.label, url: `/files/${id}` };
  });

  router.get('/:id', requireRole(), (ctx) => {
    const { name, type, content } = find(ctx.params['id']);
    ctx.type = type;
    ctx.attachment(name);
    ctx.body = content;
  });

  router.delete('/:id', requireRole('staff'), (ctx) => {
    store.files.delete(find(ctx.params['id']).id);
    ctx.status = 204;
  });

  return router;
}
