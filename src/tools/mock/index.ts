/** The entry point `@concordat/tools/mock`: contracts that answer with their examples, for tests and development. */

export { type MockHandlers, type MockOptions, mockHandlers } from './mock-handlers.js';
export { mockHandler } from './mock-handlers.js';
export { mockGraphql } from './mock-schema.js';
export { type SampleOptions, sampleRequests } from './sample-requests.js';
