/** A process that opens a store at a sign from its parent, and writes posts with two writers at once. */
import { once } from 'node:events';
import type { Post } from '../../../src/core/model/post.js';
import { timestampOf } from '../../../src/core/model/timestamp.js';
import { openStore } from './open-store.js';
import { bareUser } from '../../support/bare-records.js';

const [address = '', name = ''] = process.argv.slice(2);
const postsOfAWriter = 25;

process.send?.('ready');
await once(process, 'message');
const storage = await openStore(address);
const written = await Promise.all([write(`${name}-1`), write(`${name}-2`)]);
await storage.close();
process.send?.(written.flat());
process.disconnect();

async function write(writer: string): Promise<readonly Post[]> {
  const now = () => timestampOf(Date.now());
  const user = { name: writer, email: `${writer}@example.com`, role: 'user', status: 'active' } as const;
  const author = await storage.users.create({ ...bareUser, ...user }, now());
  if (author === 'email-taken') throw new Error(`${writer} has written here before`);
  const posts: Post[] = [];
  for (let number = 0; number < postsOfAWriter; number++) {
    const post = await storage.posts.create(
      { title: writer, content: `${number}`, authorId: author.id },
      now(),
    );
    if (post === 'author-not-found') throw new Error(`the author ${author.id} is gone`);
    posts.push(post);
  }
  return posts;
}
