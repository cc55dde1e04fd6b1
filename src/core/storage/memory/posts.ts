/** The posts of the memory storage. */
import type { Post } from '../../model/post.js';
import { withStored } from '../../model/stored.js';
import { latestOf, nextTimestamp, type Timestamp } from '../../model/timestamp.js';
import type { PostForm, PostStore } from '../../ports/post-store.js';
import type { AtOnce, MemoryTables } from './tables.js';

export function memoryPosts(tables: MemoryTables): AtOnce<PostStore> {
  const { posts, postsByAuthor, users } = tables;
  /** Kept after that post is deleted, because a reader who has paged past it could miss the next one. */
  let lastCreatedAt: Timestamp | undefined;

  return {
    create({ title, content, authorId, stored }, now) {
      if (users.get(authorId) === undefined) return 'author-not-found';
      const createdAt = lastCreatedAt === undefined ? now : latestOf(now, nextTimestamp(lastCreatedAt));
      lastCreatedAt = createdAt;
      const made: Post = { id: posts.nextId(), title, content, authorId, createdAt };
      const post = Object.freeze(withStored(made, stored));
      posts.add(post);
      return post;
    },

    find: (id) => posts.get(id),
    list: (slice, form, stored) => inForm(posts.slice(slice, tables.testOf('Post', stored)), form),

    listSince: (since, limit, stored) => {
      const isLater = ({ createdAt }: Post): boolean => since === undefined || createdAt > since;
      return posts.sliceFrom(isLater, limit, tables.testOf('Post', stored));
    },

    listBefore: (before, limit, stored) => posts.sliceBefore(before, limit, tables.testOf('Post', stored)),
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
function withoutContent({ id, title, authorId, createdAt, stored }: Post): Post {
  const post = { id, title, content: '', authorId, createdAt };
  return stored === undefined ? post : { ...post, stored };
}
