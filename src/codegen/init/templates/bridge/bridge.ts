/** Serves __OLD__ from an engine of __NEW__: write each function that throws. */

import type { RestEngine } from '@concordat/runtime';
import { versionBridge } from '@concordat/runtime/bridge';
import { contract } from './v1/routing.js';
import type { Operations } from './v2/operations.js';

/** @param to - the engine of the new version */
export function bridge<Caller, Host>(to: RestEngine<Caller, Host, Operations>) {
  return versionBridge({
    from: contract,
    to,
    convert: {
__CONVERT__    },
  });
}
