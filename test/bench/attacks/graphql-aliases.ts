/** A few strangers ask for the same long texts under as many aliases as an operation may have. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServerProcess } from '../server-process.js';
import { observe } from './observe.js';

const POSTS = 800;
const CONTENT_LENGTH = 100_000;
const ALIASES = 29;
const STRANGERS = 4;
const ROUNDS = 3;

const admin = { email: 'root@example.com', password: 'correct horse battery' };

const QUERIES: Readonly<Record<string, string>> = {
  'each text under many aliases': `{ posts { ${aliased('content')} } }`,
  'each list under many aliases': `{ ${aliased('posts { content }')} }`,
  'each list under many aliases, without texts': `{ ${aliased('posts { id }')} }`,
};

function aliased(field: string): string {
  return Array.from({ length: ALIASES }, (_, n) => `a${String(n)}: ${field}`).join(' ');
}

/** On SQLite, under the protected policy. */
export async function graphqlAliases(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'concordat-attack-'));
  const server = await ServerProcess.startService({
    DATABASE_URL: `sqlite:${join(directory, 'service.db')}`,
    AUTH_POLICY: 'protected',
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
  });
  try {
    await fill(server.url);
    for (const [what, query] of Object.entries(QUERIES)) {
      console.log(
        `\n${what}, ${String(query.length)} bytes, ${String(STRANGERS)} at once, ${String(ROUNDS)} times`,
      );
      let megabytes = 0;
      await observe(server, async () => {
        for (let round = 0; round < ROUNDS; round += 1) {
          const answers = await Promise.all(Array.from({ length: STRANGERS }, () => ask(server.url, query)));
          for (const bytes of answers) megabytes = Math.max(megabytes, bytes / 1024 / 1024);
        }
      });
      console.log(`the largest answer: ${megabytes.toFixed(3)} MB`);
    }
  } finally {
    await server.stop();
    await rm(directory, { recursive: true });
  }
}

async function fill(url: string): Promise<void> {
  const answer = await send(`${url}/api/auth/login?tokens=pair`, admin);
  const { accessToken } = (await answer.json()) as { accessToken: string };
  const query = 'mutation ($content: String!) { createPost(title: "News", content: $content) { id } }';
  const parameters = { query, variables: { content: 'x'.repeat(CONTENT_LENGTH) } };
  for (let post = 0; post < POSTS; post += 1) {
    const text = await (await send(`${url}/graphql`, parameters, accessToken)).text();
    if (text.includes('errors')) throw new Error(`a post was refused: ${text}`);
  }
}

/** Reads an answer without keeping it. @returns its bytes */
async function ask(url: string, query: string): Promise<number> {
  const { body } = await send(`${url}/graphql`, { query });
  let bytes = 0;
  for await (const piece of body ?? []) bytes += (piece as Uint8Array).length;
  return bytes;
}

function send(url: string, value: object, token?: string): Promise<Response> {
  const headers = {
    'Content-Type': 'application/json',
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
  };
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(value) });
}
