// catalogue-engine.ts
import {
  createOperations,
  createServices,
  openPolicy,
  securityHandlers,
  serviceEngine,
} from '@concordat/core';
import { memoryStorage } from '@concordat/core/storage/memory';
import { xmlEncoder } from '@concordat/runtime/xml';
import { contract } from './generated/catalogue/routing.js';

const services = createServices({ storage: memoryStorage(), policy: openPolicy });
const core = createOperations(services);
const { listProducts, createProduct, getProduct, replaceProduct, updateProduct, deleteProduct } = core;

export const engine = serviceEngine({
  services,
  contract,
  operations: {
    ...{ listProducts, createProduct, getProduct, replaceProduct, updateProduct, deleteProduct },
    async getBestseller(_request, context) {
      // Its answer may also be XML in the core, so the context names the one that the client gets.
      const json = { ...context, mediaType: 'application/json' } as const;
      const response = await core.getProduct({ path: { id: '1' }, headers: {} }, json);
      return response.status === 200
        ? { status: 200, body: response.body }
        : { status: 404, body: { error: 'None yet' } };
    },
  },
  security: securityHandlers(services.authentication),
  xml: xmlEncoder(contract.xmlNames),
  report: console.error,
});
