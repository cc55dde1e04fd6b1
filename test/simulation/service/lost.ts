/** Calls without an answer: the service was killed, or its database was. Each was done or not, and what is stored tells which. */

import type { Answer, Call } from '../calls.js';
import { type Answered, copyOf, judged } from '../judge.js';
import { type Model, type Post, isAfter } from '../model.js';
import { type Contents, type Found, type Kind, type Read, expectContents } from './contents.js';

/** A call with the answers that it may have got; none of them if it was not done. */
export interface Lost extends Omit<Answered, 'answer'> {
  readonly answers: readonly Answer[];
}

const answerOf = (status: number, body?: unknown, headers: Record<string, string> = {}): Answer => ({
  status,
  headers: new Headers(headers),
  body,
  text: body === undefined ? '' : JSON.stringify(body),
});

/**
 * @param contents - what is stored now
 * @param read - reads more of it
 * @returns the answers that the call would have got if it was done
 */
export async function possibleAnswers(
  { method, path, body }: Call,
  model: Model,
  contents: Contents,
  read: Read,
): Promise<readonly Answer[]> {
  const [, , , id = '', action] = path.split('?')[0]?.split('/') ?? [];
  const kind = path.split(/[/?]/)[2] as Kind;
  if (path === '/graphql')
    return ofGraphql(body as { query: string; variables: { id?: string } }, model, contents);
  if (method === 'GET' || path.startsWith('/api/auth/login') || path === '/api/auth/refresh') return [];
  if (method === 'DELETE' || path === '/api/auth/logout') return [answerOf(204)];
  if (id === '')
    return newOf(kind, model, contents).map((each) =>
      answerOf(201, each, { location: `${path}/${each.id}` }),
    );
  if (action === 'categories') {
    const exists = contents.products.some((each) => each.id === id);
    return exists ? [answerOf(200, await read(path))] : [];
  }
  // Without an ETag, which was the one of that moment.
  return contents[kind].filter((each) => each.id === id).map((each) => answerOf(200, each));
}

const singular = { users: 'user', orders: 'order', products: 'product', comments: 'comment', posts: 'post' };

/** The records that the model does not have yet. */
function newOf(kind: Kind, { last }: Model, contents: Contents): readonly Found[] {
  return contents[kind].filter(({ id }) => isAfter(id, last[singular[kind]] ?? '0'));
}

function ofGraphql(
  { query, variables }: { readonly query: string; readonly variables: { readonly id?: string } },
  model: Model,
  contents: Contents,
): readonly Answer[] {
  const [, field = ''] = /^mutation .*?\{\s*(\w+)/s.exec(query) ?? [];
  const data = (record: unknown): Answer => answerOf(200, { data: { [field]: record } });
  if (field === 'deleteUser') return [data(true)];
  if (field === 'createPost')
    return newOf('posts', model, contents).map((post) => {
      const { id, title, content, authorId } = post as Post;
      return data({ id, title, content, author: { id: authorId } });
    });
  const users = field === 'createUser' ? newOf('users', model, contents) : contents.users;
  const wanted = field === 'updateUser' ? users.filter(({ id }) => id === variables.id) : users;
  return wanted.map((user) => {
    const { id, name, email } = user as Found & { readonly name: string; readonly email: string };
    return data(field === 'updateUser' ? { id, name } : { id, name, email });
  });
}

/**
 * @returns the models with what is stored, for calls that were answered and others that were not
 * @throws the {@link Fault} of the first that is none
 */
export function judgedWithLost(
  models: readonly Model[],
  answered: readonly Answered[],
  lost: readonly Lost[],
  contents: Contents,
): Model[] {
  const possible: Model[] = [];
  let first: unknown;
  for (const model of models) {
    for (const done of choicesOf(lost)) {
      try {
        const all = [...answered, ...done];
        for (const each of judged([copyOf(model)], all)) {
          try {
            expectContents(each, contents);
            possible.push(each);
          } catch (error) {
            first ??= error;
          }
        }
      } catch (error) {
        first ??= error;
      }
    }
  }
  if (possible.length === 0) throw first;
  return possible;
}

/** Each choice of the calls that were done, with their answers; first that none was. */
function choicesOf(lost: readonly Lost[]): readonly (readonly Answered[])[] {
  const [one, ...others] = lost;
  if (one === undefined) return [[]];
  const rest = choicesOf(others);
  const { action, call, answers } = one;
  return [
    ...rest,
    ...answers.flatMap((answer) => rest.map((chosen) => [{ action, call, answer }, ...chosen])),
  ];
}
