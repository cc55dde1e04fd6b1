/** Random types for random schemas, and random literals and values of them. All of it follows from a seed. */

/** The generator of mulberry32: small, seeded, and good enough to choose with. */
export class Random {
  constructor(private state: number) {}

  /** From 0 to 1, without 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T; // no list is empty
  }

  some<T>(list: readonly T[], share: number): readonly T[] {
    return list.filter(() => this.chance(share));
  }
}

/** A reference to a type. */
export type Ref =
  | { readonly kind: 'named'; readonly name: string }
  | { readonly kind: 'list'; readonly of: Ref }
  | { readonly kind: 'nonNull'; readonly of: Ref };

export const printRef = (ref: Ref): string =>
  ref.kind === 'named' ? ref.name : ref.kind === 'list' ? `[${printRef(ref.of)}]` : `${printRef(ref.of)}!`;

export const nameOf = (ref: Ref): string => (ref.kind === 'named' ? ref.name : nameOf(ref.of));

export const isRequired = ({ type, byDefault }: Argument): boolean =>
  type.kind === 'nonNull' && byDefault === undefined;

export function wrap(random: Random, name: string): Ref {
  let ref: Ref = { kind: 'named', name };
  if (random.chance(0.2)) ref = { kind: 'nonNull', of: ref };
  if (random.chance(0.25)) ref = { kind: 'list', of: ref };
  if (ref.kind === 'list' && random.chance(0.15)) ref = { kind: 'list', of: ref };
  return ref.kind !== 'nonNull' && random.chance(0.25) ? { kind: 'nonNull', of: ref } : ref;
}

/** An argument, or a field of an input type. */
export interface Argument {
  readonly name: string;
  readonly type: Ref;
  readonly byDefault: string | undefined;
}

export interface Input {
  readonly isOneOf: boolean;
  readonly fields: readonly Argument[];
}

export type Inputs = ReadonlyMap<string, Input>;

/** Those that a compiler may have to leave come last. */
export const LEAVES = [
  'Int',
  'Float',
  'String',
  'Boolean',
  'ID',
  'Json',
  'Moment',
  'Colour',
  'Level',
] as const;

/** Literals by type, of which the last is wrong for it. */
const LITERALS: Readonly<Record<(typeof LEAVES)[number], readonly string[]>> = {
  Int: ['0', '-7', '2147483647'],
  Float: ['1.5', '3', '1e3'],
  String: ['"text"', '""', '"""block"""', '"\\u8a9e"'],
  Boolean: ['true', 'false'],
  ID: ['"a"', '7'],
  Json: ['{ a: [1, "b"] }', '"json"', '3'],
  Moment: ['"2026-01-01T00:00:00.000Z"'],
  Colour: ['RED', 'GREEN'],
  Level: ['LOW', 'HIGH'],
};

const VALUES: Readonly<Record<(typeof LEAVES)[number], readonly unknown[]>> = {
  Int: [0, -7, 2147483647, 1.5, '3', 2 ** 31],
  Float: [1.5, 3, '1.5'],
  String: ['text', '', '語', 'a"b', 5],
  Boolean: [true, false, 0],
  ID: ['a', 7, 1.5],
  Json: [{ a: [1, 'b'] }, 'json', 3, [null], { __proto__: null, b: 1 }],
  Moment: ['2026-01-01T00:00:00.000Z', 'no moment'],
  Colour: ['RED', 'GREEN', 'BLUE', 1],
  Level: ['LOW', 'HIGH', { rank: 1 }],
};

/** Mostly one that a compiler may serve, so that most of what is compiled is not left because of a single argument. */
export const leafName = (random: Random): string =>
  random.pick(random.chance(0.85) ? LEAVES.slice(0, 6) : LEAVES);

const isLeaf = (name: string): name is (typeof LEAVES)[number] =>
  (LEAVES as readonly string[]).includes(name);

/** @param variable - gives a variable of that type to use in place of a literal, or undefined */
export function literal(
  random: Random,
  inputs: Inputs,
  ref: Ref,
  variable: (ref: Ref) => string | undefined = () => undefined,
  depth = 0,
): string {
  if (ref.kind === 'nonNull') {
    const text = literal(random, inputs, ref.of, variable, depth);
    return text === 'null' ? literal(random, inputs, ref, variable, depth) : text;
  }
  if (random.chance(0.1)) return 'null';
  if (ref.kind === 'list') {
    const count = random.below(3);
    // A single value is a list of one (GraphQL, "List").
    if (random.chance(0.2)) return literal(random, inputs, ref.of, variable, depth);
    const items = Array.from({ length: count }, () =>
      used(random, variable, ref.of, () => literal(random, inputs, ref.of, variable, depth + 1)),
    );
    return `[${items.join(', ')}]`;
  }
  if (isLeaf(ref.name)) return random.pick(LITERALS[ref.name]);
  const fields = chosenFields(random, inputs, ref.name, depth).map(({ name, type }) => {
    const isOneOf = inputs.get(ref.name)?.isOneOf === true;
    const given: Ref = isOneOf ? { kind: 'nonNull', of: type } : type;
    return `${name}: ${used(random, variable, given, () => literal(random, inputs, given, variable, depth + 1))}`;
  });
  return `{ ${fields.join(', ')} }`;
}

function used(
  random: Random,
  variable: (ref: Ref) => string | undefined,
  ref: Ref,
  otherwise: () => string,
): string {
  return (random.chance(0.05) ? variable(ref) : undefined) ?? otherwise();
}

/** A value as JSON has it, which now and then does not fit the type. */
export function valueOf(random: Random, inputs: Inputs, ref: Ref, depth = 0): unknown {
  if (random.chance(0.02)) return random.pick([null, 'odd', 17, [], {}]);
  if (ref.kind === 'nonNull')
    return valueOf(random, inputs, ref.of, depth) ?? valueOf(random, inputs, ref.of, depth);
  if (random.chance(0.1)) return null;
  if (ref.kind === 'list') {
    if (random.chance(0.2)) return valueOf(random, inputs, ref.of, depth);
    return Array.from({ length: random.below(3) }, () => valueOf(random, inputs, ref.of, depth + 1));
  }
  if (isLeaf(ref.name)) return random.chance(0.9) ? VALUES[ref.name][0] : random.pick(VALUES[ref.name]);
  const entries = chosenFields(random, inputs, ref.name, depth).map(({ name, type }) => [
    name,
    valueOf(random, inputs, type, depth + 1),
  ]);
  return random.chance(0.02) ? { ...Object.fromEntries(entries), unknown: 1 } : Object.fromEntries(entries);
}

/** All that are required, and some others while the value is not deep. */
function chosenFields(random: Random, inputs: Inputs, name: string, depth: number): readonly Argument[] {
  const { isOneOf = false, fields = [] } = inputs.get(name) ?? {};
  // Now and then with two, which is not allowed.
  if (isOneOf) return random.chance(0.1) ? fields.slice(0, 2) : [random.pick(fields)];
  return fields.filter((field) => isRequired(field) || (depth < 3 && random.chance(0.5)));
}
