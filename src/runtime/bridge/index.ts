/** The entry point `@concordat/runtime/bridge`: serves an old version of a contract from the engine of a new one. */

export type { Conversions, ReceivedAnswer, Verdict } from './conversions.js';
export { type Deprecation, deprecationHeaders } from './deprecation.js';
export { eachItem } from './each-item.js';
export { type VersionBridgeOptions, versionBridge } from './version-bridge.js';
