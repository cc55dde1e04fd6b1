// backend.ts
import { openapiBackendHandlers } from '@concordat/runtime/openapi-backend';
import { OpenAPIBackend } from 'openapi-backend';
import { engine } from './engine.js';

const backend = new OpenAPIBackend({
  definition: 'openapi.yaml',
  quick: true, // its own check of documents knows OpenAPI 3.0 only
  strict: true,
  validate: false, // the engine does
  handlers: openapiBackendHandlers(engine),
});
await backend.init();

const request = { method: 'GET', path: '/greetings/Ada', headers: {} };
const { status, body } = await backend.handleRequest(request, request);
console.log(status, body);
