/** The constraints in `schema.graphql`: the numbers of `openapi.yaml` and of the core, which refuses with its own sentences, after the caller's rights. */

import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { failureOf } from '@concordat/runtime';
import { constraintSchema, readSchema } from 'concordat/contract';
import { isObjectType } from 'graphql';
import { parse } from 'yaml';
import * as constraints from '../../generated/constraints.js';
import { maxWholeList } from '../../src/core/model/page.js';
import { protectedPolicy } from '../../src/core/services/rights/policy.js';
import { useService } from '../support/service.js';
import { post, run } from './graphql-requests.js';

interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, Readonly<Record<string, unknown>>>> };
}

describe('the constraints of the schema', () => {
  const service = useService({});

  it('are those of openapi.yaml and of the core', async () => {
    const { components } = parse(await readFile('openapi.yaml', 'utf8')) as Document;
    const { UserName, Email, Post } = components.schemas;
    const { title, content } = Post?.['properties'] as Readonly<Record<string, object>>;
    const paging = { minimum: 1, maximum: maxWholeList };
    const expected: Readonly<Record<string, object | undefined>> = {
      'Query.users.limit': paging,
      'Query.posts.limit': paging,
      'Mutation.createUser.name': UserName,
      'Mutation.createUser.email': Email,
      'Mutation.createPost.title': title,
      'Mutation.createPost.content': content,
      'Mutation.updateUser.name': UserName,
      'Mutation.updateUser.email': Email,
    };
    const found = Object.values((await readSchema('schema.graphql')).getTypeMap())
      .filter(isObjectType)
      .flatMap((type) =>
        Object.values(type.getFields()).flatMap(({ name, args }) =>
          args.map((each) => [`${type.name}.${name}.${each.name}`, constraintSchema(each)] as const),
        ),
      )
      .filter(([, item]) => item !== undefined);
    expect(found.map(([path]) => path)).to.deep.equal(Object.keys(expected));
    for (const [path, item] of found) {
      const keywords = ['minLength', 'maxLength', 'format', 'minimum', 'maximum'];
      const stated = Object.entries(expected[path] ?? {}).filter(([keyword]) => keywords.includes(keyword));
      expect(item, path).to.deep.equal(Object.fromEntries(stated));
    }
  });

  const user = (name: string, email: string): string =>
    `mutation { createUser(name: "${name}", email: "${email}") { id } }`;
  const written = (title: string, content: string): string =>
    `mutation { createPost(title: "${title}", content: "${content}", authorId: 1) { id } }`;
  const long = (length: number): string => 'x'.repeat(length);
  const refused: readonly (readonly [
    query: string,
    args: object,
    check: keyof typeof constraints,
    own?: string,
  ])[] = [
    [user('', 'a@example.com'), { name: '', email: 'a@example.com' }, 'Mutation$createUser'],
    [user(long(201), 'a@example.com'), { name: long(201), email: 'a@example.com' }, 'Mutation$createUser'],
    [user('A', 'a'), { name: 'A', email: 'a' }, 'Mutation$createUser'],
    [user('A', long(255)), { name: 'A', email: long(255) }, 'Mutation$createUser'],
    [written('', 'C'), { title: '', content: 'C' }, 'Mutation$createPost'],
    [written(long(301), 'C'), { title: long(301), content: 'C' }, 'Mutation$createPost'],
    [written('T', ''), { title: 'T', content: '' }, 'Mutation$createPost'],
    ['{ users(limit: 0) { id } }', { limit: 0 }, 'Query$users', 'limit must be 1 to 10000'],
    ['{ posts(limit: 10001) { id } }', { limit: 10_001 }, 'Query$posts', 'limit must be 1 to 10000'],
  ];
  for (const [query, args, name, own] of refused) {
    const shown = query.length > 80 ? `${query.slice(0, 80)}…` : query;
    it(`refuse ${shown} in the words of the core${own === undefined ? ', which are those of REST' : ''}`, async () => {
      const check = constraints[name];
      expect(check(structuredClone(args))).to.equal(false);
      const { errors = [] } = await run(service, query);
      expect(errors.map(({ message, extensions }) => [extensions.code, message])).to.deep.equal([
        ['BAD_USER_INPUT', own ?? failureOf(check, args, '')],
      ]);
    });
  }

  describe('of an operation that needs a caller', () => {
    const guarded = useService({ policy: protectedPolicy });

    it('are checked after the caller', async () => {
      const { result } = await post(guarded, {
        query: 'mutation { createPost(title: "", content: "") { id } }',
      });
      expect(result?.errors?.map(({ extensions }) => extensions.code)).to.deep.equal(['UNAUTHENTICATED']);
    });
  });
});
