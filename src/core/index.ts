/** The public face of `concordat`: the core that other teams put behind their own doors and stores. */

export { ServiceError, type ErrorCode } from './model/error.js';
export type { Comment } from './model/comment.js';
export type { Order, OrderItem, OrderSummary } from './model/order.js';
export type { CursorPage, FeedPage, KeysetPage, OffsetPage } from './model/page.js';
export type { Post } from './model/post.js';
export type { Category, Product } from './model/product.js';
export type { Role, User, UserStatus } from './model/user.js';
export type { Clock } from './ports/clock.js';
export type { EventListener, Events, EventsObserver, Topic } from './ports/events.js';
export type { PasswordHasher } from './ports/password-hasher.js';
export type { Storage } from './ports/storage.js';
export { type Caller, anonymous } from './services/caller.js';
export { type Action, type Grant, type Policy, openPolicy, protectedPolicy } from './services/policy.js';
export { type Services, type ServicesOptions, createServices } from './services/services.js';
export { type ServiceEngineOptions, serviceEngine } from './operations/engine.js';
