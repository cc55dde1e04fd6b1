/**
 * What the service must answer, written from the document that it implements and the decisions about what that leaves open: its
 * state as plain data, and who may do what.
 */

import type { Seen } from './records.js';
import type { GraphqlLimits, WorldSettings } from './settings.js';
import { type StoredValues, type Webhook, due } from './webhook-model.js';

export interface User {
  readonly id: string;
  name: string;
  email: string;
  phone?: string | undefined;
  city?: string | undefined;
  role: 'user' | 'admin';
  status: 'active' | 'inactive';
  password?: string | undefined;
}

export interface Item {
  readonly productId?: string | undefined;
  readonly name: string;
  readonly quantity: number;
  readonly unitPrice: number;
}

export interface Order {
  readonly id: string;
  readonly userId: string;
  status: string;
  items: readonly Item[];
}

export interface Product {
  readonly id: string;
  name: string;
  description?: string | undefined;
  price: number;
  categories: readonly string[];
}

export interface Comment {
  readonly id: string;
  readonly orderId: string;
  readonly userId: string;
  readonly text: string;
}

export interface Post {
  readonly id: string;
  readonly title: string;
  readonly content: string;
  readonly authorId: string;
}

export interface Key {
  readonly id: string;
  readonly name: string;
  readonly ownerId: string;
  readonly key: string;
  isActive: boolean;
}

/** What a sign-in gave. */
export interface Session {
  readonly userId: string;
  readonly access: string;
  readonly refresh?: string | undefined;
  /** Those that were exchanged for it within a second, which gave the same access token. */
  readonly exchanged?: readonly string[];
  /** In the claims of the access token, if it has one: its user may do no more, whatever they have become. */
  readonly role?: User['role'] | undefined;
  /** Those that came of one sign-in. */
  readonly family: string;
  /** Whether the refresh token was replaced by another. */
  isUsed: boolean;
  /** Whether the refresh token was revoked. */
  isLoggedOut: boolean;
  /** Whether all tokens were: the password changed, the sessions were ended, the user was deactivated. */
  isEnded: boolean;
  /** The time after which the access token is refused, in milliseconds. */
  readonly accessUntil: number;
  readonly refreshUntil: number;
}

/** A creation under an `Idempotency-Key`. */
export interface Keyed {
  readonly sender: Sender;
  readonly key: string;
  readonly path: string;
  readonly body: string;
  readonly answer: string;
  readonly until: number;
}

export type PolicyName = 'open' | 'protected';

export interface Model {
  /** The model in which callers are looked up, if it is not this one. */
  callers?: Model | undefined;
  /** Before and after each request so far of those that were sent together, if one of them may have read its parts at several. */
  moments?: Model[] | undefined;
  readonly policy: PolicyName;
  readonly hasOutbox: boolean;
  readonly rotates: boolean;
  readonly reportsVersions: boolean;
  readonly limits: GraphqlLimits;
  /** The time of the service, in milliseconds. */
  now: number;
  readonly users: Map<string, User>;
  readonly orders: Map<string, Order>;
  readonly products: Map<string, Product>;
  readonly comments: Map<string, Comment>;
  readonly posts: Map<string, Post>;
  readonly keys: Map<string, Key>;
  /** By access token. */
  readonly sessions: Map<string, Session>;
  /** By caller and key. */
  readonly keyed: Map<string, Keyed>;
  /** Those that were deleted too. */
  readonly webhooks: Map<string, Webhook>;
  /** The users of external sign-ins by the identity, also of those who were deleted. */
  readonly identities: Map<string, string>;
  /** The users whom the identity provider has vouched for. */
  readonly externals: Set<string>;
  /** By the collection and the id of the record. */
  readonly stored: Map<string, StoredValues>;
  readonly hasFields: boolean;
  /** The type and subject of all events, whether anyone gets them or not. */
  readonly written: Set<string>;
  /** Whether the request that is judged was the only one of its step. */
  isAlone: boolean;
  /** The number of steps. */
  steps: number;
  /** The greatest id that each kind of record has had. */
  readonly last: Record<string, string>;
  /** The current tag of a resource by its path, as far as it was seen, and those that it has had. */
  readonly tags: Map<string, string>;
  readonly oldTags: Map<string, string[]>;
  /** The records by their paths, as they were answered last. */
  readonly seen: Map<string, Seen>;
  /** The times of failed sign-ins. */
  readonly failed: number[];
}

export function emptyModel(
  {
    policy,
    outbox: hasOutbox,
    limits,
    rotates,
    reportsVersions,
    fields: hasFields,
  }: Omit<WorldSettings, 'store'>,
  now: number,
): Model {
  return {
    policy,
    hasOutbox,
    rotates,
    reportsVersions,
    limits,
    now,
    users: new Map(),
    orders: new Map(),
    products: new Map(),
    comments: new Map(),
    posts: new Map(),
    keys: new Map(),
    sessions: new Map(),
    keyed: new Map(),
    webhooks: new Map(),
    identities: new Map(),
    externals: new Set(),
    stored: new Map(),
    hasFields,
    written: new Set(),
    isAlone: true,
    steps: 0,
    last: {},
    tags: new Map(),
    oldTags: new Map(),
    seen: new Map(),
    failed: [],
  };
}

/** Who sends a request: the token of a session or the id of a key in the model, or neither. */
export type Sender =
  | { readonly kind: 'nobody' }
  | { readonly kind: 'session'; readonly access: string }
  | { readonly kind: 'key'; readonly id: string }
  | { readonly kind: 'garbage' };

/** Who a request comes from, as the service must see it. */
export type Caller =
  | { readonly kind: 'nobody' }
  | { readonly kind: 'user'; readonly user: User }
  | { readonly kind: 'key' }
  | { readonly kind: 'refused' };

/**
 * Among requests that were sent together, each caller may be who they were when the first was sent.
 *
 * @param takesKeys - whether the operation takes an API key */
export function callerOf({ callers, ...now }: Model, sender: Sender, takesKeys: boolean): Caller {
  const model = callers ?? now;
  if (sender.kind === 'garbage') return { kind: 'refused' };
  if (sender.kind === 'key') {
    if (!takesKeys) return { kind: 'nobody' };
    return { kind: model.keys.get(sender.id)?.isActive === true ? 'key' : 'refused' };
  }
  if (sender.kind === 'session') {
    const user = userOfSession(model, sender.access);
    return user === undefined ? { kind: 'refused' } : { kind: 'user', user };
  }
  return { kind: 'nobody' };
}

function userOfSession(model: Model, access: string): User | undefined {
  const session = model.sessions.get(access);
  if (session === undefined || session.isEnded || session.accessUntil <= model.now) return undefined;
  const user = model.users.get(session.userId);
  if (user?.status !== 'active') return undefined;
  return session.role === 'user' ? { ...user, role: 'user' } : user;
}

/** Whether an operation that only `protected` keeps from anonymous callers answers 401. */
export function isRefused({ policy }: Model, { kind }: Caller): boolean {
  return kind === 'refused' || (policy === 'protected' && kind === 'nobody');
}

/** Whether a caller may write what belongs to a user. */
export function mayTouch({ policy }: Model, caller: Caller, userId: string): boolean {
  return policy === 'open' || isAdmin(caller) || isUser(caller, userId);
}

/** Whether a caller may read the orders and comments of a user. */
export function maySee(model: Model, caller: Caller, userId: string): boolean {
  return caller.kind === 'key' || mayTouch(model, caller, userId);
}

export function isAdmin(caller: Caller): boolean {
  return caller.kind === 'user' && caller.user.role === 'admin';
}

export function isUser(caller: Caller, id: string | undefined): boolean {
  return caller.kind === 'user' && caller.user.id === id;
}

/** Whether the last active admin would be gone without this user. */
export function isLastAdmin(model: Model, id: string): boolean {
  const admins = [...model.users.values()].filter(
    ({ role, status }) => role === 'admin' && status === 'active',
  );
  return admins.length === 1 && admins[0]?.id === id;
}

export function endSessions(model: Model, userId: string): void {
  for (const session of model.sessions.values()) if (session.userId === userId) session.isEnded = true;
}

/** Notes an event, which the webhooks of its type must get. */
export function wrote(model: Model, type: string, subject: string): void {
  model.written.add(`${type} ${subject}`);
  for (const webhook of model.webhooks.values()) {
    if (webhook.status === 'disabled' || webhook.status === 'deleted') continue;
    if (webhook.types?.includes(type) === false) continue;
    due(webhook, { type, subject, isSure: webhook.status === 'active', step: model.steps });
  }
}

/** Deletes a user with what goes with them. */
export function deleteUser(model: Model, id: string): void {
  model.users.delete(id);
  for (const [key, { authorId }] of model.posts) if (authorId === id) model.posts.delete(key);
  for (const [key, { userId }] of model.comments) if (userId === id) model.comments.delete(key);
  for (const [key, { ownerId }] of model.keys) if (ownerId === id) model.keys.delete(key);
  endSessions(model, id);
}

export function emailOwner(model: Model, email: string): User | undefined {
  return [...model.users.values()].find((user) => user.email.toLowerCase() === email.toLowerCase());
}

/** In cents, because the sum is exact. */
export function totalOf(items: readonly Item[]): number {
  return (
    items.reduce((sum, { quantity, unitPrice }) => sum + quantity * Math.round(unitPrice * 100), 0) / 100
  );
}

/** Compares ids, which may be greater than numbers are exact. */
export function byId(one: string, other: string): number {
  return one.length - other.length || (one < other ? -1 : Number(one > other));
}

/** Whether an id, or any text of digits, is greater than another. */
export function isAfter(one: string, other: string): boolean {
  return BigInt(one) > BigInt(other);
}

/** The records ascending by id. */
export function sorted<T extends { readonly id: string }>(records: ReadonlyMap<string, T>): readonly T[] {
  return [...records.values()].sort((one, other) => byId(one.id, other.id));
}
