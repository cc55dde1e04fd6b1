/** The public face of `@concordat/core`: the core that other teams put behind their own servers and stores. */

// What there is.
export {
  ServiceError,
  type ErrorCode,
  type InputPart,
  invalidInput,
  tooManyRequests,
} from './model/error.js';
export { type Complete, allRead, complete, readElsewhere } from './model/fields.js';
export type { ApiKey } from './model/api-key.js';
export type { Comment } from './model/comment.js';
export type { ExternalIdentity } from './model/external-identity.js';
export { type Id, compareIds, parseId } from './model/id.js';
export { type Cents, decimalOf } from './model/money.js';
export type { Order, OrderItem, OrderSummary } from './model/order.js';
export { type OrderMove, type OrderStatus, orderStatuses } from './model/order-status.js';
export {
  type CursorPage,
  type FeedPage,
  type KeysetPage,
  type OffsetArguments,
  type OffsetPage,
  anyPage,
} from './model/page.js';
export type { Post } from './model/post.js';
export type { Category, Product } from './model/product.js';
export type { TextBounds } from './model/text.js';
export { type Timestamp, latestOf, nextTimestamp, timestampOf } from './model/timestamp.js';
export {
  type Role,
  type User,
  type UserStatus,
  emailKey,
  endsAdmin,
  endsSessions,
  isActiveAdmin,
  revocationTime,
  revokesTokens,
} from './model/user.js';

// What the core asks of the application that runs it: the ports, for adapters of one's own.
export type { ApiKeyCredentials, ApiKeyStore, NewApiKey } from './ports/api-key-store.js';
export type { AttemptLimiter } from './ports/attempt-limiter.js';
export type { Clock } from './ports/clock.js';
export {
  type CommentFilter,
  type CommentStore,
  type NewComment,
  everyComment,
} from './ports/comment-store.js';
export type { EventListener, Events, EventsObserver, Topic } from './ports/events.js';
export type { ExternalIdentityStore } from './ports/external-identity-store.js';
export type { ExternalProfile, IdentityProvider, SignInStart } from './ports/identity-provider.js';
export {
  type EarlierCreation,
  type IdempotencyKey,
  type IdempotencyStore,
  type KeyedRequest,
  isEarlier,
} from './ports/idempotency-store.js';
export type {
  ImportedOrder,
  ImportedProduct,
  ImportedUser,
  ImportRefusal,
  ImportStore,
} from './ports/import-store.js';
export {
  type NewOrder,
  type NewOrderItem,
  type OrderChange,
  type OrderCondition,
  type OrderFilter,
  type OrderStore,
  everyOrder,
} from './ports/order-store.js';
export type { PasswordHasher } from './ports/password-hasher.js';
export type { NewPost, PostForm, PostStore } from './ports/post-store.js';
export type { NewProduct, ProductStore } from './ports/product-store.js';
export type { NewRefreshToken, RefreshToken, RefreshTokenStore } from './ports/refresh-token-store.js';
export type { AfterSlice, OffsetSlice, Slice } from './ports/slice.js';
export type { Storage, Stores } from './ports/storage.js';
export type {
  AccessClaims,
  ReadAccess,
  ReadRefresh,
  RefreshClaims,
  TokenCodec,
  Validity,
} from './ports/token-codec.js';
export {
  type NewUser,
  type UserChange,
  type UserCredentials,
  type UserFilter,
  type UserStore,
  everyUser,
  unchangedUser,
  userFilterFields,
} from './ports/user-store.js';

// What it does.
export type { TokenCaller } from './services/authentication.js';
export {
  type AnonymousCaller,
  type ApiKeyCaller,
  type Caller,
  type UserCaller,
  anonymous,
  operator,
} from './services/caller.js';
export type { ServicesOptions, SignInForm } from './services/context.js';
export type { CommentInput } from './services/comments.js';
export { type DemoSignIn, fillWithDemoData, findDemoSignIns } from './services/demo-data.js';
export { ensureAdmin } from './services/first-admin.js';
export type { Created } from './services/idempotency.js';
export { type OrderImport, type OrderItemImport, OrderImporter } from './services/import-orders.js';
export { type ProductImport, ProductImporter } from './services/import-products.js';
export { type Importer, asRefusal } from './services/import-record.js';
export { type UserImport, UserImporter } from './services/import-users.js';
export type { SignInOutcome } from './services/external-sign-in.js';
export { networkOf } from './services/network.js';
export type { OrderItemInput, OrderItemReplacement } from './services/order-items.js';
export type { OrderInput, OrderReplacement } from './services/orders.js';
export {
  type Action,
  type ActionRecords,
  type Grant,
  type Policy,
  type Rule,
  openPolicy,
  protectedPolicy,
} from './services/policy.js';
export type { SubscriberBounds } from './services/post-feed.js';
export type { PostInput } from './services/posts.js';
export type { ProductInput } from './services/products.js';
export { type Services, type ServicesOver, createServices } from './services/services.js';
export type { SignInInput, SingleToken, TokenPair } from './services/sessions.js';
export { systemClock } from './services/system-clock.js';
export type { UserInput, UserPatch } from './services/users.js';
export { type WriteCondition, unconditional } from './services/version.js';
export { type Keep, type WholeListArguments, wholeList } from './services/whole-list.js';
export { problemOf } from './operations/error-status.js';
export { type ServiceEngineOptions, serviceEngine } from './operations/engine.js';
export { type SecurityHandlers, securityHandlers } from './operations/security.js';
export { within } from './events/broker/within.js';
export { isLoopback, isTrustedIssuer } from './identity/oidc-issuer.js';
