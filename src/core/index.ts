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
export type { ApiKey } from './model/credentials.js';
export type { Comment } from './model/order.js';
export type { ExternalIdentity } from './model/credentials.js';
export { type Id, compareIds, parseId } from './model/id.js';
export { type Cents, decimalOf } from './model/product.js';
export type { Order, OrderItem, OrderSummary } from './model/order.js';
export { type OrderMove, type OrderStatus, orderStatuses } from './model/order.js';
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
export type { ApiKeyCredentials, ApiKeyStore, NewApiKey } from './ports/credential-store.js';
export type { AttemptLimiter } from './ports/sign-in.js';
export type { Clock } from './model/timestamp.js';
export { type CommentFilter, type CommentStore, type NewComment, everyComment } from './ports/order-store.js';
export type { EventListener, Events, EventsObserver, Topic } from './ports/events.js';
export type { ExternalIdentityStore } from './ports/user-store.js';
export type { ExternalProfile, IdentityProvider, SignInStart } from './ports/sign-in.js';
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
export type { PasswordHasher } from './ports/sign-in.js';
export type { NewPost, PostForm, PostStore } from './ports/post-store.js';
export type { NewProduct, ProductStore } from './ports/product-store.js';
export type { NewRefreshToken, RefreshToken, RefreshTokenStore } from './ports/credential-store.js';
export type { AfterSlice, OffsetSlice, Slice } from './model/page.js';
export type { Storage, Stores } from './ports/storage.js';
export type {
  AccessClaims,
  ReadAccess,
  ReadRefresh,
  RefreshClaims,
  TokenCodec,
  Validity,
} from './ports/sign-in.js';
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
export type { TokenCaller } from './services/sign-in/authentication.js';
export {
  type AnonymousCaller,
  type ApiKeyCaller,
  type Caller,
  type UserCaller,
  anonymous,
  operator,
} from './services/rights/caller.js';
export type { ServicesOptions, SignInForm, SubscriberBounds } from './services/context/service-context.js';
export type { CommentInput } from './services/orders/comments.js';
export { type DemoSignIn, fillWithDemoData, findDemoSignIns } from './services/demo-data.js';
export { ensureAdmin } from './services/users/first-admin.js';
export type { Created } from './services/context/idempotency.js';
export { type OrderImport, type OrderItemImport, OrderImporter } from './services/orders/import-orders.js';
export { type ProductImport, ProductImporter } from './services/products/import-products.js';
export { type Importer, asRefusal } from './services/context/importer.js';
export { type UserImport, UserImporter } from './services/users/import-users.js';
export type { SignInOutcome } from './services/sign-in/external-sign-in.js';
export { networkOf } from './services/sign-in/attempts.js';
export type { OrderItemInput, OrderItemReplacement } from './services/orders/order-items.js';
export type { OrderInput, OrderReplacement } from './services/orders/orders.js';
export {
  type Action,
  type ActionRecords,
  type Grant,
  type Policy,
  type Rule,
  openPolicy,
  protectedPolicy,
} from './services/rights/policy.js';
export type { PostInput } from './services/posts/posts.js';
export type { ProductInput } from './services/products/products.js';
export { type Services, type ServicesOver, createServices } from './services/services.js';
export type { SignInInput, SingleToken, TokenPair } from './services/sign-in/sessions.js';
export { systemClock } from './model/timestamp.js';
export type { UserInput, UserPatch } from './services/users/users.js';
export { type WriteCondition, unconditional } from './services/context/write-condition.js';
export { type Keep, type WholeListArguments, wholeList } from './services/lists/whole-list.js';
export { problemOf } from './operations/rest-engine.js';
export { type ServiceEngineOptions, serviceEngine } from './operations/rest-engine.js';
export { type SecurityHandlers, securityHandlers } from './operations/security.js';
export { within } from './events/broker-events.js';
export { isLoopback, isTrustedIssuer } from './ports/sign-in.js';
