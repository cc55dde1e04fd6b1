/** Maps each parameter location to the property of a decoded request that has its values. */

import type { ParameterLocation } from './contract.js';

export const PLACES = {
  path: 'path',
  query: 'query',
  querystring: 'query',
  header: 'headers',
  cookie: 'cookies',
} as const satisfies Readonly<Record<ParameterLocation, string>>;
