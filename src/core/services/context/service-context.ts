/** The options of the application, and the context that all services share. */
import type { Clock } from '../../model/timestamp.js';
import type { Events } from '../../ports/events.js';
import type { AttemptLimiter, IdentityProvider, PasswordHasher, TokenCodec } from '../../ports/sign-in.js';
import type { WebhookSender } from '../../ports/outbox.js';
import type { Stores } from '../../ports/storage.js';
import type { Post } from '../../model/post.js';
import type { KeepsFields, KeptFields } from '../../model/stored.js';
import type { User } from '../../model/user.js';
import type { OutboxEvent, Receiver } from '../../model/webhook.js';
import type { Policy } from '../rights/policy.js';
import type { Rights } from '../rights/rights.js';
import type { ApiKeyUses } from '../credentials/api-key-uses.js';
import type { Idempotency } from '../writes/idempotency.js';
import type { JoinedReads } from '../reads/joined-reads.js';
import type { Writes } from '../writes/writes.js';
import type { UserChanges } from '../rights/user-changes.js';
import type { Passwords } from '../credentials/secrets.js';

/** The two forms of a sign-in's answer: an access and a refresh token, or a single token. */
export type SignInForm = 'pair' | 'single';

/** How far a subscriber may fall behind. Queues share the posts, so many slow subscribers take no more memory than one. */
export interface SubscriberBounds {
  readonly items: number;
  readonly bytes: number;
  /** The total time for which subscribers with full queues may delay a page of 100 posts, in milliseconds. */
  readonly patienceMs: number;
}

/** How events leave the service. */
export interface OutboxOptions {
  readonly sender: WebhookSender;
  /** Makes what receivers get: `cloudEvent`, unless the application has a form of its own. */
  readonly encode: (event: OutboxEvent<string>, kept: KeptFields | undefined) => object;
  /**
   * Called after each attempt, which was `delivered` or has `failed`, and when a webhook is `disabled`. It must not throw.
   *
   * @param answer - what the receiver answered, in words
   */
  readonly noted?: (what: 'delivered' | 'failed' | 'disabled', receiver: Receiver, answer: string) => void;
  /** A number from 0 to 1, by which the times of attempts differ; `Math.random` unless given. */
  readonly random?: () => number;
}

export interface ServicesOptions<S extends Partial<Stores> = Stores> {
  /** All stores, or those of the services in use. */
  readonly storage: S;
  /** `openPolicy`, `protectedPolicy`, or the deployer's own policy. */
  readonly policy: Policy;
  /** The machine's clock unless given. */
  readonly clock?: Clock;
  /** Events between processes; without them, subscribers only get the posts of this process. */
  readonly events?: Events;
  /** With it, writes publish events to webhooks and consumers; the same in every process. Without it, they cost nothing. */
  readonly outbox?: OutboxOptions;
  /** How far a subscriber may fall behind before it is dropped; 1,000 posts and 8 MiB unless given. */
  readonly subscriberBounds?: Partial<SubscriberBounds>;
  /** Called with failures that concern no caller, such as an event that could not be published. */
  readonly report?: (error: unknown) => void;
  /** Called with each post that was delivered to the subscribers of this process, for metrics. It must not throw. */
  readonly delivered?: (post: Post) => void;
  /** Without one, input with a password is refused with `not-implemented`. */
  readonly passwordHasher?: PasswordHasher;
  /**
   * The key for hashing requests with an `Idempotency-Key`, whose hashes are kept for a day and may be made from passwords: at
   * least 32 bytes, the same in every process and after a restart. Of several, the first hashes, and requests that an earlier process
   * hashed with another are recognised. Without one, only the client's key protects the hashes.
   */
  readonly idempotencySecret?: string | readonly string[];
  /** Without one, users cannot sign in and no token is valid. */
  readonly tokens?: TokenCodec;
  /** Counts failed sign-ins. Without one, sign-in with a password is refused, because passwords could be guessed. */
  readonly signInLimiter?: AttemptLimiter;
  /** Counts the users that an address creates. Without one, they are not limited. */
  readonly signUpLimiter?: AttemptLimiter;
  /** The default form of a sign-in's answer; `pair` unless given. */
  readonly signInForm?: SignInForm;
  /** Whether a refresh also gives a new refresh token and invalidates the old one; false unless given. */
  readonly rotatesRefreshTokens?: boolean;
  /** Without one, external sign-in is `unavailable`. */
  readonly identityProvider?: IdentityProvider;
}

/** @typeParam Store the stores that the service requires; the others may be missing */
export interface ServiceContext<Store extends keyof Stores = never> extends Omit<
  ServicesOptions,
  'storage' | 'policy' | 'passwordHasher' | 'idempotencySecret'
> {
  readonly storage: Pick<Stores, Store> & Partial<Stores> & KeepsFields;
  readonly clock: Clock;
  readonly rights: Rights;
  readonly writes: Writes;
  readonly userChanges: UserChanges;
  /** Users by id, for the subscribers of one event. */
  readonly joinedUsers: JoinedReads<User | undefined>;
  /** Present if the storage has a store of API keys. */
  readonly apiKeyUses?: ApiKeyUses | undefined;
  /** Present if the storage has a store of idempotency keys. */
  readonly idempotency?: Idempotency | undefined;
  readonly passwords?: Passwords | undefined;
  readonly signInForm: SignInForm;
  readonly rotatesRefreshTokens: boolean;
}
