/** Creates posts over GraphQL, as fast as the service accepts them. */

import { Agent, type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';

const CLIENTS = 4;

const mutation =
  'mutation ($content: String!, $authorId: ID!) { createPost(title: "News", content: $content, authorId: $authorId) { id } }';

/** @returns the id of a user who can be the author of posts */
export async function createAuthor(url: string): Promise<string> {
  const query = 'mutation { createUser(name: "Ada Lovelace", email: "ada@example.com") { id } }';
  const { data } = (await ask(url, new Agent(), { query })) as { data: { createUser: { id: string } } };
  return data.createUser.id;
}

interface PostsToCreate {
  readonly count: number;
  /** The length of each. */
  readonly contentBytes: number;
  /** How many wait for an answer at a time. */
  readonly clients?: number;
}

export async function createPosts(
  url: string,
  authorId: string,
  { count, contentBytes, clients = CLIENTS }: PostsToCreate,
): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  const content = 'x'.repeat(contentBytes);
  let asked = 0;
  const client = async (): Promise<void> => {
    while (asked++ < count) {
      const answer = await ask(url, agent, { query: mutation, variables: { content, authorId } });
      if (typeof answer === 'object' && answer !== null && 'errors' in answer) {
        throw new Error(`a post was refused: ${JSON.stringify(answer)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  agent.destroy();
}

function ask(url: string, agent: Agent, body: unknown): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json', Accept: 'application/json' };
    const asking = request(
      `${url}/graphql`,
      { method: 'POST', agent, headers },
      (answer: IncomingMessage) => {
        json(answer).then(resolve, reject);
      },
    );
    asking.once('error', reject).end(JSON.stringify(body));
  });
}
