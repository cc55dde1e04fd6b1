/** The entry point `@concordat/runtime/client`: calls the operations of a contract, and sends its webhooks and callbacks. */

export type { Fetch, SendOptions } from './outgoing-exchange.js';
export { UnexpectedAnswer } from './answers.js';
export { type Authorized, type Credential, type Credentials, withCredential } from './credentials.js';
export type { CallOptions, OperationCalls } from './operation-calls.js';
export { type RestClient, type RestClientOptions, restClient } from './rest-client.js';
export { parseExactJson } from '../rest/decode/exact.js';
export { encodeHeaderValue, writeExactJson } from '../http/response-writers.js';
export {
  type CallbackCause,
  type CallbackClient,
  type OutgoingOptions,
  type WebhookClient,
  callbackClient,
  callbackUrl,
  expressionValue,
  webhookClient,
} from './outgoing-client.js';
export type { ParameterNotation } from '../contract/tool-table.js';
export { type WrittenParameters, writeFields, writeParameters } from '../rest/encode/write-parameters.js';
