/** The core on its memory store: its contract as an engine for any transport, as an application of another team has it. */

// From the build, because that is what is published.
import { anonymous, createServices, openPolicy, serviceEngine } from '@concordat/core';
import { contract } from '@concordat/core/contract';
import { memoryStorage } from '@concordat/core/storage/memory';
import { xmlEncoder } from '@concordat/runtime/xml';
import { seeds } from '../users.js';

const services = createServices({ storage: memoryStorage(), policy: openPolicy });
for (const seed of seeds) await services.users.create(anonymous, seed);

export const engine = serviceEngine({
  services,
  xml: xmlEncoder(contract.xmlNames),
  report: console.error,
});
