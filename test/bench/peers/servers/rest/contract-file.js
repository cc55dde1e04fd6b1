/**
 * The contract, for the peers that read it themselves. Their validators ignore the keywords beside a `$ref`, as OpenAPI 3.0 has it,
 * and would let through what the contract refuses; so such a reference is replaced by what it refers to.
 */

import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

const file = new URL('../../../../../openapi.yaml', import.meta.url);
const document = parse(readFileSync(file, 'utf8'));

function merged(value) {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(merged);
  const { $ref, ...siblings } = value;
  if (typeof $ref !== 'string' || Object.keys(siblings).length === 0) {
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, merged(each)]));
  }
  const referred = $ref
    .slice('#/'.length)
    .split('/')
    .reduce((place, key) => place[key], document);
  return merged({ ...referred, ...siblings });
}

export const contract = merged(document);
