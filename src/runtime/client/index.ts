/** The public face of `concordat/client`: sends the webhooks and callbacks of a contract. */

export { UnexpectedAnswer } from './answers.js';
export { type CallbackCause, callbackUrl } from './callback-url.js';
export {
  type CallbackClient,
  type OutgoingOptions,
  type SendOptions,
  type WebhookClient,
  callbackClient,
  webhookClient,
} from './outgoing-client.js';
