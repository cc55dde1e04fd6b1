/** A process with many subscribers: it says when they are ready, publishes when it is told to, and says how long that took. */

import { createAuthor, createPosts } from '../slow-readers/posts.js';
import { EventSocket } from './event-socket.js';

/** As many connect at a time. */
const AT_ONCE = 100;

const [url = '', subscribers = '', posts = '', contentBytes = ''] = process.argv.slice(2);
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

const sockets: EventSocket[] = [];
while (sockets.length < Number(subscribers)) {
  const missing = Math.min(AT_ONCE, Number(subscribers) - sockets.length);
  sockets.push(
    ...(await Promise.all(Array.from({ length: missing }, () => EventSocket.subscribe(url, query, take)))),
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
process.send?.(sample);
