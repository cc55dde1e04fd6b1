/** Names that are odd somewhere, and draws of names that are different from those beside them. */

import type { Random } from '../simulation/random.js';

/** Each of them has been a fault of some program that reads contracts. */
const ODD_NAMES = [
  ...['', ' ', '0', '400', '00', '1st', '-1', '-', '_', '.', '..', '*', '~', '%', '%41', 'a%2Fb', '%zz', '+'],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', 'prototype', 'length', 'then'],
  ...[
    'class',
    'delete',
    'default',
    'await',
    'arguments',
    'enum',
    'null',
    'undefined',
    'true',
    'NaN',
    'string',
  ],
  ...[
    'Promise',
    'Record',
    'Response',
    'Request',
    'Object',
    'Array',
    'check',
    'components',
    'Operations',
    'body',
  ],
  ...[
    'a b',
    'a/b',
    'a~b',
    'a~1b',
    'a.b',
    'a-b',
    'a_b',
    'aB',
    'AB',
    'ab',
    'Ab',
    'a[b]',
    'a[]',
    'a,b',
    'a|b',
    'a;b',
  ],
  ...[
    'a:b',
    'a=b',
    'a&b',
    'a?b',
    'a#b',
    'a{b}',
    '{a}',
    'a+b',
    'a"b',
    "it's",
    '`${a}`',
    '*/',
    '//',
    '<a>',
    'a\\b',
  ],
  ...[
    '$ref',
    '$id',
    '$',
    '@a',
    'x-a',
    'type',
    'items',
    'properties',
    'allOf',
    'in',
    'name',
    'get',
    'parameters',
  ],
  ...[
    '日本',
    'ü',
    'u\u0308',
    '🎉',
    'مرحبا',
    '\u202eabc',
    '\u200b',
    '\ufeff',
    'क्षि',
    'ǅ',
    'ß',
    'İ',
    '\u0000',
    '\n',
    'a\tb',
  ],
  ...['x'.repeat(300), 'é'.repeat(150), 'a'.repeat(80).split('').join('_')],
] as const;

const PLAIN_NAMES = [
  ...[
    'id',
    'name',
    'type',
    'status',
    'url',
    'title',
    'description',
    'created_at',
    'updatedAt',
    'user',
    'owner',
  ],
  ...[
    'email',
    'amount',
    'currency',
    'total',
    'count',
    'page',
    'limit',
    'cursor',
    'metadata',
    'tags',
    'parent',
  ],
  ...[
    'boat',
    'order',
    'invoice',
    'customer',
    'member',
    'team',
    'file',
    'note',
    'event',
    'version',
    'state',
    'kind',
  ],
] as const;

/** The names of one document. */
export class Names {
  /** @param oddity - the share of names that are odd */
  constructor(
    private readonly random: Random,
    private readonly oddity: number,
  ) {}

  /** A name that no other of them has; it is added to them. */
  draw(taken: Set<string>, isFit: (name: string) => boolean = () => true): string {
    for (let number = 0; number < 5; number += 1) {
      const name = this.random.pick(this.random.chance(this.oddity) ? ODD_NAMES : PLAIN_NAMES);
      if (taken.has(name) || !isFit(name)) continue;
      taken.add(name);
      return name;
    }
    const plain = this.random.pick(PLAIN_NAMES);
    let number = taken.size;
    while (taken.has(`${plain}${String(number)}`)) number += 1;
    taken.add(`${plain}${String(number)}`);
    return `${plain}${String(number)}`;
  }

  /** Any name, for a place where names may be equal. */
  any(): string {
    return this.draw(new Set());
  }
}

/** A name as a token of a pointer in a URI fragment. */
export const pointerToken = (name: string): string =>
  encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
