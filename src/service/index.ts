/** The entry point `@concordat/service`: runs the service, alone or inside another application. */

export { type Service, type ServiceOptions, createService } from './create-service.js';
export type { OwnGraphql, OwnRest, RestParts } from './open/contract-endpoints.js';
export { type RunningService, serve } from './serve.js';
export { type Settings, readSettings } from './settings/settings.js';
export type { Health } from './watch/health.js';
export type { Log } from './watch/log.js';
export { Metrics } from './watch/metrics.js';
