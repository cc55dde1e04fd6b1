/** Random schemas with all kinds of types, and random operations of them. All of it follows from a seed. */

import { makeExecutableSchema } from '@graphql-tools/schema';
import {
  type GraphQLResolveInfo,
  type GraphQLSchema,
  GraphQLScalarType,
  Kind,
  validateSchema,
  valueFromASTUntyped,
} from 'graphql';
import {
  type Argument,
  type Input,
  type Inputs,
  LEAVES,
  type Random,
  type Ref,
  leafName,
  literal,
  nameOf,
  printRef,
  wrap,
} from './random-types.js';

interface Field {
  readonly name: string;
  readonly type: Ref;
  readonly arguments: readonly Argument[];
}

export interface RandomSchema {
  readonly schema: GraphQLSchema;
  readonly inputs: Inputs;
  /** The fields of each object type and interface. */
  readonly fields: ReadonlyMap<string, readonly Field[]>;
}

const OBJECTS = ['Query', 'First', 'Second', 'Third'] as const;
const ABSTRACT = { Named: ['First', 'Second'], Any: ['First', 'Third'] } as const;
const INPUTS = ['InA', 'InB', 'InC', 'InD'] as const;

const levels = { LOW: { rank: 1 }, HIGH: { rank: 2 } };

const moment = new GraphQLScalarType({
  name: 'Moment',
  serialize: (value) => (value as Date).toISOString(),
  parseValue: (value) => momentOf(value),
  parseLiteral: (node) => momentOf(node.kind === Kind.STRING ? node.value : undefined),
});

function momentOf(value: unknown): Date {
  if (typeof value !== 'string' || Number.isNaN(Date.parse(value))) throw new TypeError('no moment');
  return new Date(value);
}

const json = new GraphQLScalarType({
  name: 'Json',
  parseValue: (value) => value,
  parseLiteral: (node, variables) => valueFromASTUntyped(node, variables),
});

/** The ways to find out the type of an object. */
const TYPINGS = ['__typename', 'resolveType', 'resolveType later', 'isTypeOf', 'isTypeOf later'] as const;

/** @param isAbstract - whether fields may be of interfaces and unions */
export function randomSchema(random: Random, isAbstract: boolean): RandomSchema {
  const inputs = randomInputs(random);
  const named: Field[] = [{ name: 'name', type: { kind: 'named', name: 'String' }, arguments: [] }];
  const fields = new Map<string, readonly Field[]>([['Named', named]]);
  for (const type of OBJECTS) {
    const own = Array.from({ length: 3 + random.below(4) }, (_, n) =>
      randomField(random, inputs, `f${String(n)}`, isAbstract),
    );
    fields.set(type, type === 'Third' ? own : [...named, ...own]);
  }
  const schema = makeExecutableSchema({
    typeDefs: print(inputs, fields),
    resolvers: resolvers(random, fields),
  });
  // graphql-js 17 refuses a default that its type does not accept.
  return validateSchema(schema).length > 0 ? randomSchema(random, isAbstract) : { schema, inputs, fields };
}

/** Input types refer to each other and themselves; where that is required, only to later ones, so that values exist. */
function randomInputs(random: Random): Inputs {
  const inputs = new Map<string, Input>();
  for (const [index, name] of INPUTS.entries()) {
    const isOneOf = random.chance(0.25);
    const later = INPUTS.slice(index + 1);
    const fields = Array.from({ length: 2 + random.below(3) }, (_, n): Argument => {
      const isNested = random.chance(0.35);
      const nested = isOneOf || later.length === 0 || random.chance(0.4) ? INPUTS : later;
      const type = wrap(random, isNested ? random.pick(nested) : leafName(random));
      const isSafe = !isNested && !isOneOf;
      const nullable: Ref = type.kind === 'nonNull' ? type.of : type;
      const byDefault = isSafe && random.chance(0.3) ? literal(random, inputs, type) : undefined;
      return { name: `n${String(n)}`, type: isSafe ? type : nullable, byDefault };
    });
    // One of each must end the recursion.
    const end: Argument = { name: 'end', type: { kind: 'named', name: 'Int' }, byDefault: undefined };
    inputs.set(name, { isOneOf, fields: [...fields, end] });
  }
  return inputs;
}

function randomField(random: Random, inputs: Inputs, name: string, isAbstract: boolean): Field {
  const objects = !isAbstract || random.chance(0.6) ? ['First', 'Second', 'Third'] : ['Named', 'Any'];
  const types = random.chance(0.5) ? LEAVES : objects;
  const args = Array.from({ length: random.chance(0.5) ? 1 + random.below(2) : 0 }, (_, n): Argument => {
    const type = wrap(random, random.chance(0.75) ? leafName(random) : random.pick(INPUTS));
    const byDefault = random.chance(0.25) ? literal(random, inputs, type) : undefined;
    return { name: `a${String(n)}`, type, byDefault };
  });
  // What was given is answered, so that every difference shows.
  const type = args.length > 0 && random.chance(0.7) ? 'String' : random.pick(types);
  return { name, type: wrap(random, type), arguments: args };
}

function print(inputs: Inputs, fields: ReadonlyMap<string, readonly Field[]>): string {
  const argument = ({ name, type, byDefault }: Argument): string =>
    `${name}: ${printRef(type)}${byDefault === undefined ? '' : ` = ${byDefault}`}`;
  const field = ({ name, type, arguments: args }: Field): string =>
    `${name}${args.length === 0 ? '' : `(${args.map(argument).join(', ')})`}: ${printRef(type)}`;
  return [
    'scalar Json scalar Moment enum Colour { RED GREEN } enum Level { LOW HIGH }',
    ...[...inputs].map(
      ([name, input]) =>
        `input ${name} ${input.isOneOf ? '@oneOf ' : ''}{ ${input.fields.map(argument).join(', ')} }`,
    ),
    'interface Named { name: String }',
    ...OBJECTS.map((name) => {
      const isNamed = (ABSTRACT.Named as readonly string[]).includes(name);
      return `type ${name} ${isNamed ? 'implements Named ' : ''}{ ${(fields.get(name) ?? []).map(field).join(', ')} }`;
    }),
    `union Any = ${ABSTRACT.Any.join(' | ')}`,
  ].join('\n');
}

/** Half of the fields without arguments are plain properties. Answers depend on arguments alone. */
function resolvers(random: Random, fields: ReadonlyMap<string, readonly Field[]>) {
  const objects: Record<string, Record<string, unknown>> = {};
  const typing = random.pick(TYPINGS);
  const nameOfKind = typing === '__typename' ? typing : 'kind';
  for (const type of OBJECTS) objects[type] = { [nameOfKind]: type };
  const output = (ref: Ref): unknown => {
    if (random.chance(0.03)) return random.pick([null, undefined, new Error('it fails'), 'odd']);
    if (ref.kind === 'nonNull') return output(ref.of) ?? output(ref.of);
    if (random.chance(0.1)) return null;
    if (ref.kind === 'list') return Array.from({ length: random.below(3) }, () => output(ref.of));
    return objects[random.pick(possibleTypes(ref.name))] ?? leaf(random, ref.name);
  };
  const late = <T>(value: T): T | Promise<T> => (typing.endsWith('later') ? Promise.resolve(value) : value);
  const resolveType = ({ kind }: { kind: string }): unknown => late(kind);
  const isTyped = typing.startsWith('resolveType');
  const all: Record<string, Record<string, unknown>> = {
    Named: isTyped ? { __resolveType: resolveType } : {},
    Any: isTyped ? { __resolveType: resolveType } : {},
  };
  for (const type of OBJECTS) {
    const own: Record<string, unknown> = (all[type] = {});
    if (typing.startsWith('isTypeOf'))
      own['__isTypeOf'] = ({ kind }: { kind: string }) => late(kind === type);
    for (const { name, type: ref, arguments: args } of fields.get(type) ?? []) {
      const value = output(ref);
      const isEcho = args.length > 0 && nameOf(ref) === 'String';
      const answer = (given: unknown, info: GraphQLResolveInfo): unknown =>
        isEcho ? echo(ref, describe(given) + whereabouts(info)) : value;
      if (args.length === 0 && random.chance(0.5)) Object.assign(objects[type] ?? {}, { [name]: value });
      else if (random.chance(0.3)) {
        own[name] = (_: unknown, given: unknown, __: unknown, info: GraphQLResolveInfo) =>
          Promise.resolve(answer(given, info));
      } else {
        own[name] = (_: unknown, given: unknown, __: unknown, info: GraphQLResolveInfo) =>
          answer(given, info);
      }
    }
  }
  return { ...all, Json: json, Moment: moment, Level: levels };
}

const possibleTypes = (name: string): readonly string[] =>
  name === 'Named' || name === 'Any' ? ABSTRACT[name] : [name];

function leaf(random: Random, name: string): unknown {
  const values: Readonly<Record<string, readonly unknown[]>> = {
    Int: [1, '7', true],
    Float: [1.5, 2],
    String: ['text', 5, false],
    Boolean: [true, 0],
    ID: ['a', 9],
    Json: [{ a: [null, { b: 1 }] }, 'json', 3],
    Moment: [new Date(0)],
    Colour: ['RED'],
    Level: [levels.LOW],
  };
  return random.pick(values[name] ?? []);
}

const echo = (ref: Ref, text: string): unknown =>
  ref.kind === 'named' ? text : ref.kind === 'list' ? [echo(ref.of, text)] : echo(ref.of, text);

/** What a resolver may read of the place of its field. */
function whereabouts({ path, fieldNodes, parentType }: GraphQLResolveInfo): string {
  const keys: unknown[] = [];
  for (let each: typeof path | undefined = path; each !== undefined; each = each.prev) keys.push(each.key);
  return ` at ${keys.join('/')} of ${parentType.name}, ${String(fieldNodes.length)} nodes`;
}

/** Tells apart all that a resolver can: classes, identity of an enum's values, and what is missing from what is undefined. */
function describe(value: unknown): string {
  if (value === levels.LOW || value === levels.HIGH)
    return `level ${String((value as { rank: number }).rank)}`;
  if (value instanceof Date) return `moment ${value.toISOString()}`;
  if (Array.isArray(value)) return `[${value.map(describe).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([name, inner]) => `${name}:${describe(inner)}`);
    return `{${entries.sort().join(',')}}`;
  }
  return value === undefined ? 'undefined' : `${typeof value} ${JSON.stringify(value)}`;
}
