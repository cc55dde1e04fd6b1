/** Draws a GraphQL schema from a seed: complete graphs of types and inputs, odd names, deep lists, and descriptions with any character. */

import { Random } from '../simulation/random.js';

/** Names that GraphQL allows, and that are special somewhere. */
const NAMES = [
  ...[
    'constructor',
    'toString',
    'hasOwnProperty',
    'prototype',
    'then',
    'length',
    'name',
    'type',
    'input',
    'on',
  ],
  ...[
    'query',
    'mutation',
    'fragment',
    'class',
    'delete',
    'default',
    'await',
    'enum',
    'interface',
    'extend',
    'Promise',
  ],
  ...[
    'Record',
    'String_',
    'Maybe',
    'Scalars',
    'Resolvers',
    'a',
    'A',
    'aB',
    'a_b',
    'AB',
    '_',
    '_a',
    'a1',
    'a_',
    'Date',
  ],
];
const TEXTS = ['', ' ', '"', '\\', '*/', '`${a}`', '\u202e', '🎉', 'a\nb', '#', "it's", '</script>'];

export function drawSdl(seed: number): string {
  const random = new Random(seed);
  const kinds = ['type', 'input', 'enum', 'interface', 'union', 'scalar'] as const;
  type Kind = (typeof kinds)[number];
  const oddity = random.pick([0, 0.1, 0.5]);
  const used = new Set(['Query', 'Mutation', 'String', 'Int', 'Float', 'Boolean', 'ID']);
  const name = (taken: Set<string>, stem: string): string => {
    const odd = random.pick(NAMES) ?? 'a';
    const found = random.chance(oddity) && !taken.has(odd) ? odd : `${stem}${String(taken.size)}`;
    taken.add(found);
    return found;
  };
  const namesOf = Object.fromEntries(
    kinds.map((kind) => [
      kind,
      Array.from({ length: random.size(kind === 'type' ? 40 : 12) }, () =>
        name(used, kind.charAt(0).toUpperCase() + kind.slice(1)),
      ),
    ]),
  ) as Record<Kind, string[]>;
  const scalars = ['String', 'Int', 'Float', 'Boolean', 'ID', ...namesOf.scalar, ...namesOf.enum];
  const outputs = [...scalars, ...namesOf.type, ...namesOf.type, ...namesOf.interface, ...namesOf.union];
  const inputs = [...scalars, ...namesOf.input];
  const wrapped = (type: string): string => {
    const depth = random.chance(0.01) ? random.whole(2, 40) : random.chance(0.25) ? 1 : 0;
    return `${'['.repeat(depth)}${type}${']'.repeat(depth)}${random.chance(0.3) ? '!' : ''}`;
  };
  const described = (): string => {
    if (!random.chance(0.2)) return '';
    const text = random.pick(TEXTS);
    return `${JSON.stringify(text)} `;
  };
  const deprecated = (): string =>
    random.chance(0.05) ? ` @deprecated(reason: ${JSON.stringify(random.pick(TEXTS))})` : '';
  const fieldName = (taken: Set<string>): string => {
    for (;;) {
      const found = name(taken, 'f');
      if (!found.startsWith('__')) return found;
    }
  };
  const args = (): string => {
    if (!random.chance(0.3)) return '';
    const taken = new Set<string>();
    const all = Array.from(
      { length: random.size(5) },
      () => `${described()}${fieldName(taken)}: ${wrapped(random.pick(inputs) ?? 'Int')}`,
    );
    return `(${all.join(', ')})`;
  };
  const fields = (taken: Set<string>): string =>
    Array.from(
      { length: random.size(20) },
      () =>
        `  ${described()}${fieldName(taken)}${args()}: ${wrapped(random.pick(outputs) ?? 'Int')}${deprecated()}`,
    ).join('\n');
  // A type has the fields of its interface as the interface has them.
  const ofInterface = new Map(namesOf.interface.map((each) => [each, `  of${each}: Int`]));
  const graph = random.chance(0.1) ? random.whole(2, 30) : 0;
  const others = (prefix: string, at: number): string =>
    Array.from({ length: graph }, (_, index) =>
      index === at ? '' : `  g${String(index)}: ${prefix}${String(index)}`,
    ).join('\n');
  const parts = [
    ...namesOf.scalar.map((each) => `${described()}scalar ${each}`),
    ...namesOf.enum.map((each) => {
      const taken = new Set(['true', 'false', 'null']);
      return `${described()}enum ${each} {\n${Array.from({ length: random.size(30) }, () => `  ${described()}${fieldName(taken)}${deprecated()}`).join('\n')}\n}`;
    }),
    ...namesOf.interface.map(
      (each) => `${described()}interface ${each} {\n${ofInterface.get(each) ?? ''}\n}`,
    ),
    ...namesOf.type.map((each) => {
      const parent = random.chance(0.3) ? random.pick(namesOf.interface) : undefined;
      const own = parent === undefined ? '' : `${ofInterface.get(parent) ?? ''}\n`;
      return `${described()}type ${each}${parent === undefined ? '' : ` implements ${parent}`} {\n${own}${fields(new Set())}\n}`;
    }),
    ...namesOf.union.map(
      (each) =>
        `${described()}union ${each} = ${[...new Set(Array.from({ length: random.size(5) }, () => random.pick(namesOf.type) ?? 'Query'))].join(' | ')}`,
    ),
    ...namesOf.input.map((each) => {
      const taken = new Set<string>();
      const isOneOf = random.chance(0.1);
      // A required input that leads back to itself has no value.
      const all = Array.from(
        { length: random.size(15) },
        () =>
          `  ${described()}${fieldName(taken)}: ${isOneOf ? (random.pick(scalars) ?? 'Int') : random.chance(0.5) ? wrapped(random.pick(scalars) ?? 'Int') : (random.pick(inputs) ?? 'Int')}`,
      );
      return `${described()}input ${each}${isOneOf ? ' @oneOf' : ''} {\n${all.join('\n')}\n}`;
    }),
    ...Array.from(
      { length: graph },
      (_, at) =>
        `type G${String(at)} {\n  id: ID!\n${others('G', at)}\n}\ninput J${String(at)} {\n  id: ID\n${others('J', at)}\n}`,
    ),
    `type Query {\n  first: String\n${graph === 0 ? '' : '  graph(of: J0): G0\n'}${fields(new Set())}\n}`,
    random.chance(0.5) ? `type Mutation {\n${fields(new Set())}\n}` : '',
    random.chance(0.2)
      ? `directive @${random.pick(['constructor', 'a', 'toString', 'own'])}(of: Int) on FIELD_DEFINITION | OBJECT`
      : '',
    random.chance(0.2) ? 'extend type Query { extended: Int }' : '',
    random.chance(0.05)
      ? `extend type Query { odd: Int @${random.pick(['constructor', 'toString', 'nowhere'])} }`
      : '',
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}
