/** Operations that are as large as the limits allow, and larger by one. */

import { type Action, type Answer, Fault } from '../calls.js';
import type { GraphqlLimits } from '../settings.js';
import { type GraphqlBody, graphqlCall } from './graphql.js';
import { nobody } from './senders.js';

type Kind = 'depth' | 'tokens' | 'aliases' | 'repeats' | 'bodyBytes';

const kinds = ['depth', 'tokens', 'aliases', 'repeats', 'bodyBytes'] as const;

/** A query of exactly this size. No post has the id 0, so it costs nothing. */
const queries: Readonly<Record<Kind, (size: number) => string>> = {
  depth: (size) =>
    Array.from({ length: size }, (_, level) =>
      level === 0 ? 'post(id: "0")' : level === size - 1 ? 'id' : level % 2 === 1 ? 'author' : 'posts',
    ).reduceRight((inner, field) => (inner === '' ? field : `${field} { ${inner} }`), ''),
  // Ten tokens are around them.
  tokens: (size) => {
    const names = ['id', 'title', 'content', '__typename'];
    return `post(id: "0") { ${Array.from({ length: size - 10 }, (_, place) => names[place % 4]).join(' ')} }`;
  },
  aliases: (size) =>
    `${Array.from({ length: size }, (_, place) => `a${String(place)}: __typename`).join(' ')} __typename`,
  repeats: (size) => `post(id: "0") { ${'title '.repeat(size)} }`,
  bodyBytes: (size) => '#'.repeat(size - JSON.stringify({ query: '{ __typename }', variables: {} }).length),
};

/** The figures of a query, which may have another limit than the one that it tries. */
function measured(query: string): GraphqlLimits {
  // A field with an alias is repeated if its alias is, which is not tried.
  const names = query.replace(/\(.*?\)|a\d+: \w+/g, '').match(/\w+/g) ?? [];
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  let [depth, deepest] = [0, 0];
  for (const character of query) {
    depth += character === '{' ? 1 : character === '}' ? -1 : 0;
    deepest = Math.max(deepest, depth);
  }
  return {
    depth: deepest,
    tokens: query.includes('#') ? 3 : (query.match(/\w+|"\w*"|[{}():]/g) ?? []).length,
    aliases: query.match(/a\d+:/g)?.length ?? 0,
    repeats: Math.max(0, ...counts.values()),
    responseBytes: 0,
    seconds: 0,
    nodes: 0,
    bodyBytes: Buffer.byteLength(JSON.stringify({ query, variables: {} })),
  };
}

const tryLimit: Action = {
  name: 'a query at a limit',
  weight: 2,
  draw(random, { limits }) {
    const kind = random.pick(
      random.chance(0.1) ? kinds : (['depth', 'tokens', 'aliases', 'repeats'] as const),
    );
    const size = limits[kind] + random.pick([-1, 0, 1]);
    const text = queries[kind](Math.max(0, size));
    return graphqlCall(nobody, kind === 'bodyBytes' ? `{ __typename }${text}` : `{ ${text} }`, {});
  },
  judge({ limits }, call, answer) {
    const { query } = call.body as { readonly query: string };
    const figures = measured(query);
    const exceeded = kinds.filter((kind) => figures[kind] > limits[kind]);
    const { errors } = answer.body as GraphqlBody;
    if (exceeded.length === 0 && errors === undefined) return;
    // The validation of `graphql` has a bound of its own.
    if (figures.repeats > 200 && isRefused(answer)) return;
    if (exceeded.length > 0 && isRefused(answer)) return;
    const what = exceeded.map((kind) => `${kind} ${String(figures[kind])}`).join(', ') || 'no limit exceeded';
    throw new Fault(`${what}: answered ${String(answer.status)} ${answer.text.slice(0, 300)}`);
  },
};

function isRefused({ status, body }: Answer): boolean {
  const { errors, data } = body as GraphqlBody;
  return data === undefined && (status === 413 || errors?.[0]?.extensions?.code === 'LIMIT_EXCEEDED');
}

export const limitActions: readonly Action[] = [tryLimit];
