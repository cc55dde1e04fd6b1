/** Mutations of users and posts over GraphQL. */

import { type Action, type Answer, type Call, Fault, newId, same } from '../calls.js';
import {
  type Caller,
  type Model,
  type Post,
  type Sender,
  callerOf,
  emailOwner,
  isAdmin,
  isLastAdmin,
  isUser,
  wrote,
} from '../model.js';
import { changed } from '../records.js';
import { drawSender, drawUserId } from './senders.js';
import { addUser, drawEmail, removed, userPath } from './users.js';

export interface GraphqlBody {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly path?: readonly unknown[];
    readonly extensions?: { readonly code?: string };
  }[];
}

type Variables = Readonly<Record<string, unknown>>;

export function graphqlCall(sender: Sender, query: string, variables: Variables): Call {
  return { method: 'POST', path: '/graphql', sender, body: { query, variables } };
}

export const variablesOf = (call: Call): Variables =>
  (call.body as { readonly variables: Variables }).variables;

/** @param codes - of the reasons for which it must fail; none if it must succeed. @returns the data of the field if it succeeded */
export function judge(answer: Answer, field: string, reasons: Readonly<Record<string, boolean>>): unknown {
  const { data, errors } = answer.body as GraphqlBody;
  const codes = Object.keys(reasons).filter((code) => reasons[code] === true);
  const code = errors?.[0]?.extensions?.code;
  if (codes.length === 0 && errors === undefined) return data?.[field];
  if (code !== undefined && codes.includes(code)) return undefined;
  throw new Fault(`answered ${answer.text.slice(0, 300)}, expected ${codes.join(' or ') || 'success'}`);
}

/** A token that is not valid is no caller in GraphQL; a key counts for reading. */
export function graphqlCaller(model: Model, call: Call, isRead: boolean): Caller {
  const caller = callerOf(model, call.sender, true);
  if (caller.kind === 'refused' || (caller.kind === 'key' && !isRead)) return { kind: 'nobody' };
  return caller;
}

const createUser: Action = {
  name: 'createUser over GraphQL',
  weight: 2,
  draw: (random, model) =>
    graphqlCall(
      drawSender(random, model),
      'mutation ($name: String!, $email: String!) { createUser(name: $name, email: $email) { id name email } }',
      { name: random.text(200), email: drawEmail(random) },
    ),
  judge(model, call, answer) {
    const { name, email } = variablesOf(call) as { readonly name: string; readonly email: string };
    const made = judge(answer, 'createUser', { CONFLICT: emailOwner(model, email) !== undefined });
    if (made === undefined) return;
    const id = newId(model, 'user', made);
    addUser(model, id, { name, email });
    same('createUser', made, { id, name, email });
  },
};

const updateUser: Action = {
  name: 'updateUser over GraphQL',
  weight: 3,
  draw: (random, model) =>
    graphqlCall(
      drawSender(random, model),
      'mutation ($id: ID!, $name: String, $email: String) { updateUser(id: $id, name: $name, email: $email) { id name } }',
      {
        id: drawUserId(random, model),
        ...(random.chance(0.7) && { name: random.text(200) }),
        ...(random.chance(0.5) && { email: drawEmail(random) }),
      },
    ),
  judge(model, call, answer) {
    const { id, name, email } = variablesOf(call) as { id: string; name?: string; email?: string };
    const caller = graphqlCaller(model, call, false);
    const user = model.users.get(id);
    const owner = email === undefined ? undefined : emailOwner(model, email);
    const isProtected = model.policy === 'protected';
    const made = judge(answer, 'updateUser', {
      UNAUTHENTICATED: isProtected && caller.kind !== 'user',
      FORBIDDEN: isProtected && caller.kind === 'user' && !isUser(caller, id) && !isAdmin(caller),
      NOT_FOUND: user === undefined,
      CONFLICT: owner !== undefined && owner.id !== id,
    });
    if (made === undefined || user === undefined) return;
    user.name = name ?? user.name;
    user.email = email ?? user.email;
    same('updateUser', made, { id, name: user.name });
    wrote(model, 'user.updated', `user:${id}`);
    changed(model, userPath(id));
  },
};

const deleteUser: Action = {
  name: 'deleteUser over GraphQL',
  weight: 1,
  draw: (random, model) =>
    graphqlCall(drawSender(random, model), 'mutation ($id: ID!) { deleteUser(id: $id) }', {
      id: drawUserId(random, model),
    }),
  judge(model, call, answer) {
    const { id } = variablesOf(call) as { readonly id: string };
    const caller = graphqlCaller(model, call, false);
    const made = judge(answer, 'deleteUser', {
      UNAUTHENTICATED: caller.kind !== 'user',
      FORBIDDEN: caller.kind === 'user' && !isAdmin(caller),
      NOT_FOUND: !model.users.has(id),
      CONFLICT: isLastAdmin(model, id),
    });
    if (made !== undefined) removed(model, id);
  },
};

/** In an answer to a mutation that has stored its post, whose author could not be read after that. */
export const UNREAD_AUTHOR = '"path":["createPost","author"]';

const createPost: Action = {
  name: 'createPost',
  weight: 8,
  draw: (random, model) =>
    graphqlCall(
      drawSender(random, model),
      `mutation ($title: String!, $content: String!, $authorId: ID) {
        createPost(title: $title, content: $content, authorId: $authorId) { id title content author { id } }
      }`,
      {
        title: random.text(300),
        content: random.text(random.chance(0.02) ? 100_000 : 400),
        ...(random.chance(0.6) && { authorId: drawUserId(random, model) }),
      },
    ),
  judge(model, call, answer) {
    const given = variablesOf(call) as { title: string; content: string; authorId?: string };
    const caller = graphqlCaller(model, call, false);
    const own = caller.kind === 'user' ? caller.user.id : undefined;
    const authorId = given.authorId ?? own;
    if (answer.text.includes(UNREAD_AUTHOR) && authorId !== undefined) {
      addPost(model, newId(model, 'post', { id: answer.postId }), given, authorId);
      return;
    }
    const made = judge(answer, 'createPost', {
      UNAUTHENTICATED: model.policy === 'protected' && caller.kind !== 'user',
      FORBIDDEN: caller.kind === 'user' && authorId !== own && !isAdmin(caller),
      BAD_USER_INPUT: authorId === undefined || !model.users.has(authorId),
    });
    if (made === undefined || authorId === undefined) return;
    const id = newId(model, 'post', made);
    addPost(model, id, given, authorId);
    const { title, content } = given;
    same('createPost', made, { id, title, content, author: { id: authorId } });
  },
};

export function addPost(
  model: Model,
  id: string,
  { title, content }: Pick<Post, 'title' | 'content'>,
  authorId: string,
): void {
  model.last['post'] = id;
  model.posts.set(id, { id, title, content, authorId });
  wrote(model, 'post.created', `post:${id}`);
}

export const graphqlActions: readonly Action[] = [createUser, updateUser, deleteUser, createPost];
