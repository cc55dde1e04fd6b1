/** Where the values of each location of parameters are in a decoded request. */

import type { ParameterLocation } from './contract.js';

export const PLACES = {
  path: 'path',
  query: 'query',
  querystring: 'query',
  header: 'headers',
  cookie: 'cookies',
} as const satisfies Readonly<Record<ParameterLocation, string>>;
