import type { GraphQLResolveInfo } from 'graphql';
import type { User as UserRecord } from '../src/core/model/user.js';
import type { Post as PostRecord } from '../src/core/model/post.js';
export type Maybe<T> = T | null | undefined;
export type InputMaybe<T> = T | null | undefined;
export type RequireFields<T, K extends keyof T> = Omit<T, K> & { [P in K]-?: NonNullable<T[P]> };
/** All built-in and custom scalars, mapped to their actual values */
export type Scalars = {
  ID: { input: string; output: string; }
  String: { input: string; output: string; }
  Boolean: { input: boolean; output: boolean; }
  Int: { input: number; output: number; }
  Float: { input: number; output: number; }
};

/**
 * Reading users and posts. A field of a user other than `id` and `name` may need a caller, by the deployment's policy: it
 * then fails with the code `UNAUTHENTICATED`. An operation whose response would be too large, or that takes too long, is one
 * error (`LIMIT_EXCEEDED`). An API key counts as a caller of queries and subscriptions, and as none of mutations and `me`.
 */
export type Query = {
  readonly __typename?: 'Query';
  /**
   * All users, ascending by id, or a page of them for `limit` or `after`. More than 10,000 without a `limit` are an error
   * (`LIMIT_EXCEEDED`), never a silent cut.
   */
  readonly users: ReadonlyArray<User>;
  /** The user with this id, or null when there is none. */
  readonly user?: Maybe<User>;
  /**
   * All posts, ascending by id, or a page of them for `limit` or `after`. More than 10,000 without a `limit` are an error
   * (`LIMIT_EXCEEDED`), never a silent cut.
   */
  readonly posts: ReadonlyArray<Post>;
  /** The post with this id, or null when there is none. */
  readonly post?: Maybe<Post>;
  /**
   * The authenticated user: the owner of the request's token. Without one it is null, with the error `Not
   * authenticated` (code `UNAUTHENTICATED`); the other fields of the query are answered all the same.
   */
  readonly me?: Maybe<User>;
};


/**
 * Reading users and posts. A field of a user other than `id` and `name` may need a caller, by the deployment's policy: it
 * then fails with the code `UNAUTHENTICATED`. An operation whose response would be too large, or that takes too long, is one
 * error (`LIMIT_EXCEEDED`). An API key counts as a caller of queries and subscriptions, and as none of mutations and `me`.
 */
export type QueryUsersArgs = {
  limit?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['ID']['input']>;
};


/**
 * Reading users and posts. A field of a user other than `id` and `name` may need a caller, by the deployment's policy: it
 * then fails with the code `UNAUTHENTICATED`. An operation whose response would be too large, or that takes too long, is one
 * error (`LIMIT_EXCEEDED`). An API key counts as a caller of queries and subscriptions, and as none of mutations and `me`.
 */
export type QueryUserArgs = {
  id: Scalars['ID']['input'];
};


/**
 * Reading users and posts. A field of a user other than `id` and `name` may need a caller, by the deployment's policy: it
 * then fails with the code `UNAUTHENTICATED`. An operation whose response would be too large, or that takes too long, is one
 * error (`LIMIT_EXCEEDED`). An API key counts as a caller of queries and subscriptions, and as none of mutations and `me`.
 */
export type QueryPostsArgs = {
  limit?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['ID']['input']>;
};


/**
 * Reading users and posts. A field of a user other than `id` and `name` may need a caller, by the deployment's policy: it
 * then fails with the code `UNAUTHENTICATED`. An operation whose response would be too large, or that takes too long, is one
 * error (`LIMIT_EXCEEDED`). An API key counts as a caller of queries and subscriptions, and as none of mutations and `me`.
 */
export type QueryPostArgs = {
  id: Scalars['ID']['input'];
};

/**
 * Changing users and posts. Every mutation is one transaction: if it fails, nothing has changed. Input that breaks a
 * rule is `BAD_USER_INPUT`, with a message that names it.
 */
export type Mutation = {
  readonly __typename?: 'Mutation';
  /**
   * Creates an active user with the role `user`. The user has no password; an admin sets one over REST, with `PUT
   * /api/users/{id}`. An email in use, in upper or lower case, is `CONFLICT`.
   */
  readonly createUser: User;
  /**
   * Creates a post, then publishes it to every subscriber of `postAdded`. The caller is the author. Without a caller,
   * if the deployment's policy allows that, `authorId` names the author; otherwise it is `UNAUTHENTICATED`.
   */
  readonly createPost: Post;
  /**
   * Changes the name or the email of a user, or both. A user that does not exist is `NOT_FOUND`, an email in use
   * `CONFLICT`. The deployment's policy decides who may do it: every caller, or the user and admins only.
   */
  readonly updateUser: User;
  /**
   * Deletes a user with their posts, comments, refresh tokens and API keys, and answers true. The role `admin` only:
   * `UNAUTHENTICATED` without a caller, `FORBIDDEN` for others. A user that does not exist is `NOT_FOUND`.
   */
  readonly deleteUser: Scalars['Boolean']['output'];
};


/**
 * Changing users and posts. Every mutation is one transaction: if it fails, nothing has changed. Input that breaks a
 * rule is `BAD_USER_INPUT`, with a message that names it.
 */
export type MutationCreateUserArgs = {
  name: Scalars['String']['input'];
  email: Scalars['String']['input'];
};


/**
 * Changing users and posts. Every mutation is one transaction: if it fails, nothing has changed. Input that breaks a
 * rule is `BAD_USER_INPUT`, with a message that names it.
 */
export type MutationCreatePostArgs = {
  title: Scalars['String']['input'];
  content: Scalars['String']['input'];
  authorId?: InputMaybe<Scalars['ID']['input']>;
};


/**
 * Changing users and posts. Every mutation is one transaction: if it fails, nothing has changed. Input that breaks a
 * rule is `BAD_USER_INPUT`, with a message that names it.
 */
export type MutationUpdateUserArgs = {
  id: Scalars['ID']['input'];
  name?: InputMaybe<Scalars['String']['input']>;
  email?: InputMaybe<Scalars['String']['input']>;
};


/**
 * Changing users and posts. Every mutation is one transaction: if it fails, nothing has changed. Input that breaks a
 * rule is `BAD_USER_INPUT`, with a message that names it.
 */
export type MutationDeleteUserArgs = {
  id: Scalars['ID']['input'];
};

/** Events as they happen, at `/graphql` over WebSocket (`graphql-transport-ws`) or server-sent events. */
export type Subscription = {
  readonly __typename?: 'Subscription';
  /**
   * Every post from now on, once it is stored, whichever process of the deployment it was made through. Over server-sent
   * events, the `id` of each event is the post's, and a client that reconnects with `Last-Event-ID` gets the posts that it
   * missed.
   */
  readonly postAdded: Post;
};


/** Events as they happen, at `/graphql` over WebSocket (`graphql-transport-ws`) or server-sent events. */
export type SubscriptionPostAddedArgs = {
  since?: InputMaybe<Scalars['ID']['input']>;
};

/** A user, who may write posts. */
export type User = {
  readonly __typename?: 'User';
  /** The identifier: digits that order as a number, never used again after a deletion. */
  readonly id: Scalars['ID']['output'];
  /** The display name. */
  readonly name: Scalars['String']['output'];
  /** The email address. No two users have the same, in upper or lower case. */
  readonly email: Scalars['String']['output'];
  /** The posts whose author this user is, ascending by id. */
  readonly posts: ReadonlyArray<Post>;
};

/** A text that a user wrote. */
export type Post = {
  readonly __typename?: 'Post';
  /** The identifier: digits that order as a number, never used again after a deletion. */
  readonly id: Scalars['ID']['output'];
  /** The heading. */
  readonly title: Scalars['String']['output'];
  /** The text. */
  readonly content: Scalars['String']['output'];
  /** The user who wrote it. */
  readonly author: User;
};



export type MaybePromise<T> = Promise<T> | T;
/** The former name of {@link MaybePromise}. */
export type ResolverTypeWrapper<T> = MaybePromise<T>;

export type Resolver<TResult, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = ResolverFn<TResult, TParent, TContext, TArgs>;

export type ResolverFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => Promise<TResult> | TResult;

export type SubscriptionSubscribeFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => AsyncIterable<TResult> | Promise<AsyncIterable<TResult>>;

export type SubscriptionResolveFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;

export interface SubscriptionSubscriberObject<TResult, TKey extends string, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<{ [key in TKey]: TResult }, TParent, TContext, TArgs>;
  resolve?: SubscriptionResolveFn<TResult, { [key in TKey]: TResult }, TContext, TArgs>;
}

export interface SubscriptionResolverObject<TResult, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<any, TParent, TContext, TArgs>;
  resolve: SubscriptionResolveFn<TResult, any, TContext, TArgs>;
}

export type SubscriptionObject<TResult, TKey extends string, TParent, TContext, TArgs> =
  | SubscriptionSubscriberObject<TResult, TKey, TParent, TContext, TArgs>
  | SubscriptionResolverObject<TResult, TParent, TContext, TArgs>;

export type SubscriptionResolver<TResult, TKey extends string, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> =
  | ((...args: any[]) => SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>)
  | SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>;

export type TypeResolveFn<TTypes, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (
  parent: TParent,
  context: TContext,
  info: GraphQLResolveInfo
) => Maybe<TTypes> | Promise<Maybe<TTypes>>;

export type IsTypeOfResolverFn<T = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (obj: T, context: TContext, info: GraphQLResolveInfo) => boolean | Promise<boolean>;

export type NextResolverFn<T> = () => Promise<T>;

export type DirectiveResolverFn<TResult = Record<PropertyKey, never>, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = (
  next: NextResolverFn<TResult>,
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;





/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  Query: MaybePromise<Record<PropertyKey, never>>;
  Int: MaybePromise<Scalars['Int']['output']>;
  ID: MaybePromise<Scalars['ID']['output']>;
  Mutation: MaybePromise<Record<PropertyKey, never>>;
  String: MaybePromise<Scalars['String']['output']>;
  Boolean: MaybePromise<Scalars['Boolean']['output']>;
  Subscription: MaybePromise<Record<PropertyKey, never>>;
  User: MaybePromise<UserRecord>;
  Post: MaybePromise<PostRecord>;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  Query: Record<PropertyKey, never>;
  Int: Scalars['Int']['output'];
  ID: Scalars['ID']['output'];
  Mutation: Record<PropertyKey, never>;
  String: Scalars['String']['output'];
  Boolean: Scalars['Boolean']['output'];
  Subscription: Record<PropertyKey, never>;
  User: UserRecord;
  Post: PostRecord;
};

export type QueryResolvers<ContextType = any, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  users?: FieldResolver<'Query.users', ReadonlyArray<ResolversTypes['User']>, ParentType, ContextType, QueryUsersArgs>;
  user?: FieldResolver<'Query.user', Awaited<Maybe<ResolversTypes['User']>>, ParentType, ContextType, QueryUserArgs>;
  posts?: FieldResolver<'Query.posts', ReadonlyArray<ResolversTypes['Post']>, ParentType, ContextType, QueryPostsArgs>;
  post?: FieldResolver<'Query.post', Awaited<Maybe<ResolversTypes['Post']>>, ParentType, ContextType, QueryPostArgs>;
  me?: FieldResolver<'Query.me', Awaited<Maybe<ResolversTypes['User']>>, ParentType, ContextType>;
};

export type MutationResolvers<ContextType = any, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  createUser?: FieldResolver<'Mutation.createUser', Awaited<ResolversTypes['User']>, ParentType, ContextType, MutationCreateUserArgs>;
  createPost?: FieldResolver<'Mutation.createPost', Awaited<ResolversTypes['Post']>, ParentType, ContextType, MutationCreatePostArgs>;
  updateUser?: FieldResolver<'Mutation.updateUser', Awaited<ResolversTypes['User']>, ParentType, ContextType, MutationUpdateUserArgs>;
  deleteUser?: FieldResolver<'Mutation.deleteUser', Awaited<ResolversTypes['Boolean']>, ParentType, ContextType, MutationDeleteUserArgs>;
};

export type SubscriptionResolvers<ContextType = any, ParentType extends ResolversParentTypes['Subscription'] = ResolversParentTypes['Subscription']> = {
  postAdded?: FieldSubscriber<'Subscription.postAdded', ResolversTypes['Post'], "postAdded", ParentType, ContextType, SubscriptionPostAddedArgs>;
};

export type UserResolvers<ContextType = any, ParentType extends ResolversParentTypes['User'] = ResolversParentTypes['User']> = {
  id?: FieldResolver<'User.id', Awaited<ResolversTypes['ID']>, ParentType, ContextType>;
  name?: FieldResolver<'User.name', Awaited<ResolversTypes['String']>, ParentType, ContextType>;
  email?: FieldResolver<'User.email', Awaited<ResolversTypes['String']>, ParentType, ContextType>;
  posts?: FieldResolver<'User.posts', ReadonlyArray<ResolversTypes['Post']>, ParentType, ContextType>;
};

export type PostResolvers<ContextType = any, ParentType extends ResolversParentTypes['Post'] = ResolversParentTypes['Post']> = {
  id?: FieldResolver<'Post.id', Awaited<ResolversTypes['ID']>, ParentType, ContextType>;
  title?: FieldResolver<'Post.title', Awaited<ResolversTypes['String']>, ParentType, ContextType>;
  content?: FieldResolver<'Post.content', Awaited<ResolversTypes['String']>, ParentType, ContextType>;
  author?: FieldResolver<'Post.author', Awaited<ResolversTypes['User']>, ParentType, ContextType>;
};


/** Resolves the field `_Name`. */
export type FieldResolver<_Name extends string, TResult, TParent, TContext, TArgs = Record<PropertyKey, never>> = (
  parent: TParent, args: TArgs, context: TContext, info: GraphQLResolveInfo
) => FieldResult<_Name, TResult>;

/** The value of the field `_Name`. */
export type FieldResult<_Name extends string, TResult> = TResult | Promise<TResult>;

/** Resolves the field `_Name` of a subscription: `subscribe` gives its events, and `resolve` the value of an event of another form. */
export type FieldSubscriber<_Name extends string, TResult, TKey extends string, TParent, TContext, TArgs = Record<PropertyKey, never>> =
  | {
      subscribe: (parent: TParent, args: TArgs, context: TContext, info: GraphQLResolveInfo) => FieldEvents<_Name, any>;
      resolve: (parent: any, args: TArgs, context: TContext, info: GraphQLResolveInfo) => FieldResult<_Name, TResult>;
    }
  | {
      subscribe: (parent: TParent, args: TArgs, context: TContext, info: GraphQLResolveInfo) => FieldEvents<_Name, { [Key in TKey]: TResult }>;
      resolve?: never;
    };

/** The events of the field `_Name`. */
export type FieldEvents<_Name extends string, TEvent> = AsyncIterable<TEvent> | Promise<AsyncIterable<TEvent>>;

/** A property from which graphql-js resolves a field without a resolver: a value of its type, or a method that returns one. */
type DefaultSource<Field> = Extract<Field, (...parameters: never) => unknown> extends
  (parent: never, args: infer Args, ...others: never) => infer Result
  ? Nullish<Result> | ((...parameters: never) => Nullish<Result>) extends infer Source
    ? Args extends Record<PropertyKey, never> ? Source : Extract<Source, (...parameters: never) => unknown>
    : never
  : never;
type Nullish<Result> = null extends Result ? Result | undefined : Result;

/** The fields that need a resolver, because the parent has no value for them. */
type RequiredFields<Fields, Parent> = {
  [Name in keyof Fields]-?: Name extends '__isTypeOf' | '__resolveReference' ? never
    : PropertyKey extends keyof Parent ? Name
    : Name extends keyof Parent ? (Parent[Name] extends DefaultSource<Fields[Name]> ? never : Name)
    : Name;
}[keyof Fields];

/** The members, of which some are required. */
type Requiring<Members, Names> = {
  [Name in keyof (Partial<Members> & Required<Pick<Members, Extract<Names, keyof Members>>>)]: Required<Members>[Name];
};

/** The types with a field that needs a resolver. */
type RequiredTypes<Types> = { [Name in keyof Types]: Record<never, never> extends Types[Name] ? never : Name }[keyof Types];

/** The resolvers of `Query`. */
export type RequiredQueryResolvers<ContextType = any> = Requiring<QueryResolvers<ContextType>, keyof QueryResolvers<ContextType>>;

/** The resolvers of `Mutation`. */
export type RequiredMutationResolvers<ContextType = any> = Requiring<MutationResolvers<ContextType>, keyof MutationResolvers<ContextType>>;

/** The resolvers of `Subscription`. */
export type RequiredSubscriptionResolvers<ContextType = any> = Requiring<SubscriptionResolvers<ContextType>, keyof SubscriptionResolvers<ContextType>>;

/** The resolvers of `User`. */
export type RequiredUserResolvers<ContextType = any> = Requiring<UserResolvers<ContextType>, RequiredFields<UserResolvers<ContextType>, ResolversParentTypes['User']>>;

/** The resolvers of `Post`. */
export type RequiredPostResolvers<ContextType = any> = Requiring<PostResolvers<ContextType>, RequiredFields<PostResolvers<ContextType>, ResolversParentTypes['Post']>>;

type AllResolvers<ContextType = any> = {
  Query: RequiredQueryResolvers<ContextType>;
  Mutation: RequiredMutationResolvers<ContextType>;
  Subscription: RequiredSubscriptionResolvers<ContextType>;
  User: RequiredUserResolvers<ContextType>;
  Post: RequiredPostResolvers<ContextType>;
};

/** Every resolver that the schema needs. */
export type Resolvers<ContextType = any> = Requiring<AllResolvers<ContextType>, RequiredTypes<AllResolvers<ContextType>>>;

