/** The posts of the memory storage. */
import type { Post } from '../../model/post.js';
import { latestOf, nextTimestamp, type Timestamp } from '../../model/timestamp.js';
import type { PostForm, PostStore } from '../../ports/post-store.js';
import type { AtOnce, MemoryTables } from './tables.js';

export function memoryPosts({ posts, postsByAuthor, users }: MemoryTables): AtOnce<PostStore> {
  /** Kept after that post is deleted, because a reader who has paged past it could miss the next one. */
  let lastCreatedAt: Timestamp | undefined;

  return {
    create({ title, content, authorId }, now) {
      if (users.get(authorId) === undefined) return 'author-not-found';
      const createdAt = lastCreatedAt === undefined ? now : latestOf(now, nextTimestamp(lastCreatedAt));
      lastCreatedAt = createdAt;
      const post = Object.freeze<Post>({ id: posts.nextId(), title, content, authorId, createdAt });
      posts.add(post);
      return post;
    },

    find: (id) => posts.get(id),
    list: (slice, form) => inForm(posts.slice(slice), form),

    listSince: (since, limit) =>
      posts.sliceFrom(({ createdAt }) => since === undefined || createdAt > since, limit),

    listBefore: (before, limit) => posts.sliceBefore(before, limit),
    listByAuthor: (id, slice, form) => inForm(postsByAuthor.get(id)?.slice(slice) ?? [], form),

    listByAuthors(authorIds, limit, total = Infinity, form) {
      const lists = new Map<string, readonly Post[]>();
      let left = total;
      for (const id of new Set(authorIds)) {
        const slice = { after: undefined, limit: Math.min(limit, left) };
        const list = postsByAuthor.get(id)?.slice(slice) ?? [];
        lists.set(id, list);
        left -= list.length;
      }
      return authorIds.map((id) => [...inForm(lists.get(id) ?? [], form)]);
    },
  };
}

function inForm(posts: readonly Post[], form: PostForm | undefined): readonly Post[] {
  return form === 'without-content' ? posts.map(withoutContent) : posts;
}

/** Lists the fields, which is much faster than spreading a frozen object. */
function withoutContent({ id, title, authorId, createdAt }: Post): Post {
  return { id, title, content: '', authorId, createdAt };
}
