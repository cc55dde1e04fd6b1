/** The entry point `@concordat/core`: the core, which other teams run on their own servers and stores. */

// The model.
export { type AuditAction, type AuditEntry, auditActions } from './model/audit.js';
export type * from './model/credentials.js';
export {
  type ErrorCode,
  type InputPart,
  type ServerAddress,
  ServiceError,
  invalidInput,
  tooManyRequests,
} from './model/error.js';
export { type Complete, type InputOf, allRead, complete, readElsewhere } from './model/fields.js';
export { type Id, compareIds, parseId } from './model/id.js';
export type * from './model/order.js';
export { orderStatuses } from './model/order.js';
export type * from './model/page.js';
export { anyPage } from './model/page.js';
export type * from './model/post.js';
export { checkPostTexts } from './model/post.js';
export type * from './model/product.js';
export { decimalOf } from './model/product.js';
export { serverRoleOf, serverRoles, serverUrls } from './servers/server-urls.js';
export type * from './model/stored.js';
export { checkStored, givenFields, keptFieldsOf } from './model/stored.js';
export type * from './model/text.js';
export { isEmail } from './model/text.js';
export type * from './model/timestamp.js';
export { latestOf, nextTimestamp, systemClock, timestampOf } from './model/timestamp.js';
export type * from './model/user.js';
export type * from './model/webhook.js';
export { eventTypes } from './model/webhook.js';
export {
  emailKey,
  endsAdmin,
  isActiveAdmin,
  noUserDetails,
  revocationTime,
  revokesTokens,
  userFields,
} from './model/user.js';

// The ports, for the application's own adapters.
export * from './ports/audit-store.js';
export * from './ports/credential-store.js';
export * from './ports/events.js';
export * from './ports/idempotency-store.js';
export * from './ports/order-store.js';
export * from './ports/outbox.js';
export * from './ports/post-store.js';
export * from './ports/product-store.js';
export * from './ports/sign-in.js';
export * from './ports/storage.js';
export * from './ports/store-rows.js';
export * from './ports/user-store.js';
export * from './ports/transaction.js';

// The services and the REST engine.
export type { TokenCaller } from './services/sign-in/authentication.js';
export {
  type AnonymousCaller,
  type ApiKeyCaller,
  type Caller,
  type UserCaller,
  anonymous,
  callerFrom,
  operator,
} from './services/rights/caller.js';
export { type CloudEvent, cloudEvent } from './operations/webhooks.js';
export type {
  OutboxOptions,
  ServicesOptions,
  SignInForm,
  SubscriberBounds,
} from './services/context/service-context.js';
export type { CommentInput } from './services/orders/comments.js';
export { type DemoSignIn, fillWithDemoData, findDemoSignIns } from './services/demo-data.js';
export { ensureAdmin } from './services/users/first-admin.js';
export type { WriteHooks } from './services/write-hooks.js';
export type { HookedWrite } from './services/writes/hooks.js';
export { type AuditedAction, entryOf as auditEntryOf } from './services/writes/audit.js';
export { deleteExpired } from './services/expired-records.js';
export type { Created } from './services/writes/idempotency.js';
export type { Consume, Outbox } from './services/outbox/outbox.js';
export type { WebhookChange, WebhookInput, WebhookWithSecret } from './services/outbox/webhooks.js';
export type { SignInOutcome } from './services/sign-in/external-sign-in.js';
export { networkOf } from './services/sign-in/attempts.js';
export type {
  OrderInput,
  OrderItemInput,
  OrderItemReplacement,
  OrderItemsPatch,
  OrderPatch,
  OrderReplacement,
} from './services/orders/order-items.js';
export {
  type Action,
  type ActionRecords,
  type Grant,
  type ListedAction,
  type Match,
  type MatchRule,
  type Policy,
  type Rule,
  type WriteAction,
  openPolicy,
  protectedPolicy,
} from './services/rights/policy.js';
export type { PostInput } from './services/posts/posts.js';
export type { ProductInput, ProductPatch } from './services/products/products.js';
export type { HookTransaction, ServicesTransaction } from './services/all-services.js';
export { type Services, type ServicesOver, createServices } from './services/services.js';
export { subscribeTo } from './services/posts/bounded-queue.js';
export type { SignInInput, SingleToken, TokenPair } from './services/sign-in/sessions.js';
export type { UserInput, UserPatch } from './services/users/user-input.js';
export type { Amounts } from './services/writes/stored-changes.js';
export { type WriteCondition, unconditional } from './services/writes/write-condition.js';
export { type Keep, type WholeListArguments, wholeList } from './services/reads/lists.js';
export {
  createOperations,
  type ExtendedEngineOptions,
  problemOf,
  type ServiceEngineOptions,
  serviceEngine,
} from './operations/rest-engine.js';
export type { ListUsersOptions } from './operations/list-users.js';
export { type SecurityHandlers, securityHandlers } from './operations/security.js';
export { type Lateness, within } from './pacing/pacing.js';
