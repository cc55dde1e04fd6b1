/** A process with many subscribers: it says when they are ready, publishes when it is told to, and says how long that took. */

import jsonwebtoken from 'jsonwebtoken';
import { createAuthor, createPosts } from '../posts.js';
import { EventSocket } from './event-socket.js';
import { EventSource } from './event-source.js';

/** As many connect at a time. */
const AT_ONCE = 100;

const [url = '', subscribers = '', posts = '', contentBytes = '', transport = '', secret = ''] =
  process.argv.slice(2);
const query = 'subscription { postAdded { id title content author { id name } } }';
const count = Number(posts);

let received = 0;
let sample: string | undefined;
let onReceived = (): void => undefined;

function take(message: Buffer | undefined): void {
  sample ??= message?.toString();
  received += 1;
  onReceived();
}

/** Resolves once that many events have come. */
function until(events: number): Promise<void> {
  return new Promise((resolve) => {
    onReceived = () => {
      if (received >= events) resolve();
    };
    onReceived();
  });
}

/** The token of a new user. Without a secret, a subscriber has none. */
async function tokenOf(index: number): Promise<string | undefined> {
  if (secret === '') return undefined;
  const response = await fetch(`${url}/api/users`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: `Reader ${String(index)}`, email: `reader${String(index)}@example.com` }),
  });
  const { id } = (await response.json()) as { id: string };
  return jsonwebtoken.sign({ userId: id }, secret, { expiresIn: '1h' });
}

const subscribe =
  transport === 'sse' ? EventSource.subscribe.bind(EventSource) : EventSocket.subscribe.bind(EventSocket);
const sockets: (EventSocket | EventSource)[] = [];
while (sockets.length < Number(subscribers)) {
  const missing = Math.min(AT_ONCE, Number(subscribers) - sockets.length);
  const from = sockets.length;
  sockets.push(
    ...(await Promise.all(
      Array.from({ length: missing }, async (_, at) => subscribe(url, query, take, await tokenOf(from + at))),
    )),
  );
}
const authorId = await createAuthor(url);

async function publish(posts: number): Promise<number> {
  received = 0;
  const start = performance.now();
  await Promise.all([
    createPosts(url, authorId, { count: posts, contentBytes: Number(contentBytes) }),
    until(Number(subscribers) * posts),
  ]);
  return (performance.now() - start) / 1000;
}

await publish(1);
process.on('message', () => {
  void publish(count).then((seconds) => process.send?.(seconds));
});
process.send?.(sample ?? '');
