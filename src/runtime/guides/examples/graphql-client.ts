// graphql-client.ts
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { type ExecutionResult, print } from 'graphql';
import { graphql } from './gql/gql.js';

const postsOfUser = graphql(`
  query PostsOfUser($id: ID!) {
    user(id: $id) {
      name
      posts {
        title
      }
    }
  }
`);

async function ask<Data, Variables>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
): Promise<Data> {
  const response = await fetch('http://localhost:3000/graphql', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: print(document), variables }),
  });
  const { data, errors } = (await response.json()) as ExecutionResult<Data>;
  if (!data) throw new Error(errors?.map(({ message }) => message).join('; '));
  return data;
}

const { user } = await ask(postsOfUser, { id: '1' });
console.log(
  user?.name,
  user?.posts.map(({ title }) => title),
);
