/** Resolves `graphql` to the installation in the folder of its query, for every importer: loaded before the tests that run on another version. */
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const folder = new URL(import.meta.url).searchParams.get('folder');
const parentURL = pathToFileURL(join(folder, 'importer.js')).href;

registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier, /^graphql(?:\/|$)/.test(specifier) ? { ...context, parentURL } : context),
});
