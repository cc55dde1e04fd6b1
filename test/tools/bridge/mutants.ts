/** Makes mutants of the conversions of a bridge: each returns its input, or has one of the values that it makes changed. */

/** A conversion or a handler of a bridge. */
type Convert = (...given: readonly unknown[]) => unknown;
export type Conversions = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** A fault in one conversion. */
export interface Mutant {
  /** The operation and the part. */
  readonly at: string;
  /** The value of the result that is changed, such as `body.items.0.id`; undefined if the conversion returns what it is given. */
  readonly value?: string;
}

/** A module whose `versionBridge` lets a test replace the conversions. */
export const MUTABLE = `import { versionBridge as original } from '@concordat/runtime/bridge';

export function versionBridge(options: { readonly convert: object }): unknown {
  const { replaceConversions = (convert) => convert } = globalThis as { replaceConversions?: (convert: object) => object };
  return original({ ...options, convert: replaceConversions(options.convert) } as never);
}
`;

type Replace = (at: string, convert: Convert) => Convert;

async function replacing<Result>(replace: Replace, work: () => Promise<Result>): Promise<Result> {
  const place = globalThis as { replaceConversions?: (convert: Conversions) => object };
  place.replaceConversions = (conversions) =>
    mapped(conversions, (parts, id) =>
      mapped(parts, (part, name) =>
        typeof part === 'function' ? replace(`${id}.${name}`, part as Convert) : part,
      ),
    );
  try {
    return await work();
  } finally {
    delete place.replaceConversions;
  }
}

function mapped<Value>(
  values: Readonly<Record<string, Value>>,
  change: (value: Value, name: string) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value, name)]));
}

/** The mutants of all conversions that run. @param work - runs each of them */
export async function mutantsOf(work: () => Promise<unknown>): Promise<readonly Mutant[]> {
  const mutants = new Map<string, Mutant>();
  const replace: Replace = (at, convert) => {
    if (!at.endsWith('.handler')) mutants.set(at, { at });
    return (...given) => {
      const result = convert(...given);
      return walk(result, given[0], '', (value, input, way) => {
        if (value !== input) mutants.set(`${at} ${way}`, { at, value: way });
        return value;
      });
    };
  };
  await replacing(replace, work);
  return [...mutants.values()];
}

/** Runs with a mutant. */
export async function mutate<Result>({ at, value }: Mutant, work: () => Promise<Result>): Promise<Result> {
  const replace: Replace = (each, convert) => {
    if (each !== at) return convert;
    if (value === undefined) return (given) => given;
    return (...given) =>
      walk(convert(...given), undefined, '', (leaf, _input, way) => (way === value ? changed(leaf) : leaf));
  };
  return replacing(replace, work);
}

function changed(value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  return typeof value === 'boolean' ? !value : `${String(value)}x`;
}

type Visit = (value: unknown, input: unknown, way: string) => unknown;

/** Copies a result with each of its values visited, beside the value at the same place of the input. The items of lists and streams share a place. */
function walk(value: unknown, input: unknown, way: string, visit: Visit): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array)
    return visit(value, input, way);
  const at = (name: string): string => (way === '' ? name : `${way}.${name}`);
  if (Array.isArray(value)) {
    return value.map((each, index) =>
      walk(each, Array.isArray(input) ? input[index] : undefined, at('*'), visit),
    );
  }
  if (Symbol.asyncIterator in value) return walkStream(value as AsyncIterable<unknown>, at('*'), visit);
  return mapped(value as Record<string, unknown>, (each, name) =>
    walk(each, (input as Readonly<Record<string, unknown>> | undefined)?.[name], at(name), visit),
  );
}

async function* walkStream(items: AsyncIterable<unknown>, way: string, visit: Visit): AsyncGenerator {
  for await (const item of items) yield walk(item, undefined, way, visit);
}
