/** The public face of `@concordat/service`. */

export { type RunningService, serve } from './serve.js';
export { type Settings, readSettings } from './settings/settings.js';
