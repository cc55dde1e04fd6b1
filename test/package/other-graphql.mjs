/** Resolves `graphql` to the installation in the folder of its query, for every importer: loaded before the tests that run on another version. */
import module from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isMainThread } from 'node:worker_threads';

const folder = new URL(import.meta.url).searchParams.get('folder');
const parentURL = pathToFileURL(join(folder, 'importer.js')).href;

export const resolve = (specifier, context, next) =>
  next(specifier, /^graphql(?:\/|$)/.test(specifier) ? { ...context, parentURL } : context);

if (module.registerHooks !== undefined) module.registerHooks({ resolve });
// Node 20 has hooks for `import` alone, in a thread that loads this file again. All that the tests load imports graphql.
else if (isMainThread) module.register(import.meta.url);
