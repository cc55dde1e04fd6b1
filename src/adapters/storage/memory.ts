/** The storage that lives in this process and ends with it: for tests, demonstrations and first steps. */
import { ServiceError } from '../../core/model/error.js';
import type { Storage } from '../../core/ports/storage.js';
import { MemoryUsers } from './memory/users.js';

/**
 * Makes an empty store. Records are frozen when they are written, so that reads need not copy them; ids count up from
 * `"1"`.
 *
 * @example
 * ```ts
 * const services = createServices({ storage: memoryStorage(), policy: openPolicy });
 * ```
 */
export function memoryStorage(): Storage {
  let open = true;
  return {
    users: new MemoryUsers(),
    ping() {
      if (open) return Promise.resolve();
      return Promise.reject(new ServiceError('unavailable', 'The store is closed'));
    },
    close() {
      open = false;
      return Promise.resolve();
    },
  };
}
