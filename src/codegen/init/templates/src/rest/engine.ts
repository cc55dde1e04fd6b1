/** The contract with its handlers, as one function from a request to a response. */

import { Problem, restEngine } from '@concordat/runtime'; // with OTHER
import { restEngine } from '@concordat/runtime'; // without OTHER
import { xmlEncoder } from '@concordat/runtime/xml'; // with XML
import * as checkResponses from '__GENERATED__/response-validators.js'; // with COMMONJS
import { contract } from '__GENERATED__/routing.js';
import { operations } from './operations.js';
import { security } from './security.js';

const { NODE_ENV } = process.env;

export const engine = restEngine({
  contract,
  operations,
  security,
  anonymous: undefined,
  encoders: { // with ENCODED
    '__XML__': xmlEncoder(contract.xmlNames), // with XML
    '__OTHER__': () => unwritten('__OTHER__'), // with OTHER
  }, // with ENCODED
  report: console.error,
  // Outside of production every answer is checked against the contract.
  ...(NODE_ENV !== 'production' && { checkResponses }), // with COMMONJS
  ...(NODE_ENV !== 'production' && { // without COMMONJS
    checkResponses: await import('__GENERATED__/response-validators.js'), // without COMMONJS
  }), // without COMMONJS
});
 // with OTHER
function unwritten(mediaType: string): never { // with OTHER
  throw new Problem(501, `${mediaType} is not written yet`); // with OTHER
} // with OTHER
