/** The entry point `@concordat/runtime/client`: sends the webhooks and callbacks of a contract, and writes requests in its styles. */

export { UnexpectedAnswer } from './answers.js';
export { parseExactJson } from '../rest/decode/exact.js';
export { writeExactJson } from '../http/response-writers.js';
export {
  type CallbackCause,
  type CallbackClient,
  type OutgoingOptions,
  type SendOptions,
  type WebhookClient,
  callbackClient,
  callbackUrl,
  expressionValue,
  webhookClient,
} from './outgoing-client.js';
export {
  type ParameterNotation,
  type WrittenParameters,
  writeFields,
  writeParameters,
} from './write-parameters.js';
