/** The entry point `@concordat/core/conformance`: the checks that an adapter of each port must pass, as data for any test runner. */

export type { Check } from './conformance/check.js';
export { eventsChecks } from './conformance/events.js';
export { hasherChecks } from './conformance/hasher.js';
export { type SignInScene, identityProviderChecks } from './conformance/identity-provider.js';
export { limiterChecks } from './conformance/limiter.js';
export { storageChecks, storageChecksOf } from './conformance/storage/storage.js';
export { contractOfChecks } from './conformance/storage/stored.js';
export type { StorageCheck, StoragePart } from './conformance/check.js';
export { tokenChecks } from './conformance/tokens.js';
