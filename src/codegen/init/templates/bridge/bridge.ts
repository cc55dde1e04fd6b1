/** Serves __OLD__ from an engine of __NEW__: write each conversion that throws. */

import { Problem, type RestEngine } from '@concordat/runtime'; // with HANDLERS
import type { RestEngine } from '@concordat/runtime'; // without HANDLERS
import { versionBridge } from '@concordat/runtime/bridge';
import { contract } from './v1/routing.js';
import type { Operations } from './v2/operations.js';

/** @param to - the engine of the new version */
export function bridge<Caller, Host>(to: RestEngine<Caller, Host, Operations>) {
  return versionBridge({
    from: contract,
    to,
    security: { // with OWN
      '__OWN__': { // with OWN
        missing: 'A credential is missing', // with OWN
        authenticate: () => { // with OWN
          throw new Error('Identify the caller as __OWN__'); // with OWN
        }, // with OWN
      }, // with OWN
    }, // with OWN
    convert: __CONVERT__,
  });
}
