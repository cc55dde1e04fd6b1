/** The entry point `@concordat/runtime/observe`: compares the exchanges of existing routes with a contract. */

export type { BodySample } from './body-sample.js';
export type { Deviation } from './deviations.js';
export { deviationsText } from './deviations-text.js';
export type { PassedExchange, ReadExchange } from './engine-observer.js';
export type { ObserveMode } from './observed-operation.js';
export type { ObserveCounters, ObserveOptions } from './observation.js';
export { type Observer, observe } from './observe.js';
export type { Usage, UsageOptions } from './usage.js';
export {
  isHarmless,
  isPlainText,
  isSecretSegment,
  isSensitiveName,
  shapeOf,
  shapeOfNumber,
  withoutPasswords,
  withoutSecrets,
} from './harmless.js';
export { Secrets, cookiePairs } from './secrets.js';
