/** The entry point `@concordat/runtime/bridge`: serves an old version of a contract from the engine of a new one. */

export type { Conversions, ReceivedAnswer, Verdict } from './conversions.js';
export { type Deprecation, deprecationHeaders } from './version-bridge.js';
export { eachItem } from './inner-call.js';
export { type VersionBridgeOptions, versionBridge } from './version-bridge.js';
