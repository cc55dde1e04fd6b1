/** Files that are attached to anything: uploads by multipart, and downloads. */

import type { Operations } from '../generated/operations.js';
import type { Deps } from '../legacy-app/app.js';
import { AppError, notFound } from '../legacy-app/errors.js';
import type { StoredFile } from '../legacy-app/types.js';
import type { Call } from '../part/customers.js';

type Handlers = Pick<Operations<Call>, 'addFile' | 'getFile' | 'deleteFile'>;

const megabyte = 1024 * 1024;

export function fileHandlers({ store }: Deps): Handlers {
  function find(id: string): StoredFile {
    const file = store.files.get(id);
    if (file === undefined) throw notFound('File');
    return file;
  }

  return {
    async addFile({ body }) {
      const upload = body?.file;
      if (upload === undefined) throw new AppError(400, 'NO_FILE', 'Send a part named file');
      if (upload.size > megabyte) throw new AppError(413, 'TOO_LARGE', 'The file is too large');
      const content = Buffer.from(await upload.arrayBuffer());
      const id = `file-${String(store.next('file')).padStart(4, '0')}`;
      const { name, type } = upload;
      const size = content.length;
      const label = body?.label ?? null;
      store.files.set(id, { id, name, type, size, label, content });
      return {
        status: 201,
        headers: { Location: `/files/${id}` },
        body: { id, name, type, size, label, url: `/files/${id}` },
      };
    },

    getFile({ path }) {
      const { name, type, content } = find(path.id);
      return {
        status: 200,
        contentType: type,
        headers: { 'Content-Disposition': `attachment; filename="${name}"` },
        body: content,
      };
    },

    deleteFile({ path }) {
      store.files.delete(find(path.id).id);
      return { status: 204 };
    },
  };
}
