/** Finds the parts of a contract that are the same in both versions, references included, so that they need no comparison. */

import { once, reached } from '@concordat/runtime/parts';
import {
  type ContractModel,
  type OpenApiDocument,
  type OperationModel,
  type ReadContract,
  joinPointer,
  pointerTokens,
  valueAt,
} from 'concordat/contract';
import type { VersionName } from '../change/change.js';
import type { Site } from '../schemas/site.js';
import { keyOf } from './judge.js';

/** A part of a document as it is written, and the places that it refers to. */
interface Written {
  readonly text: string;
  readonly references: ReadonlySet<string>;
}

export class Unchanged {
  /** Whether the same is written at a place in both versions. */
  readonly #places = new Map<string, boolean>();
  /** The same, with all that is reached from the place. */
  readonly #reaching = new Map<string, boolean>();

  constructor(
    private readonly old: OpenApiDocument,
    private readonly next: OpenApiDocument,
  ) {}

  /** Whether both versions have the same schemas for a value. */
  has({ old, new: next }: Site): boolean {
    return (
      old.length === next.length && old.every((part, index) => this.isSame(part.schema, next[index]?.schema))
    );
  }

  /** Whether two parts, and everything that they refer to, are the same. */
  isSame(old: unknown, next: unknown): boolean {
    const { text, references } = read(old);
    return read(next).text === text && [...references].every((place) => this.#isSameFrom(place));
  }

  /** Whether a place, and everything that it refers to, is the same. */
  #isSameFrom(place: string): boolean {
    const known = this.#reaching.get(place);
    if (known !== undefined) return known;
    const within = reached([place], (each) => read(valueAt(this.old, each)).references);
    const isSame = [...within].every((each) => this.#isSameAt(each));
    this.#reaching.set(place, isSame);
    return isSame;
  }

  #isSameAt(place: string): boolean {
    const known = this.#places.get(place);
    if (known !== undefined) return known;
    const old = valueAt(this.old, place);
    const isSame = old !== undefined && read(valueAt(this.next, place)).text === read(old).text;
    this.#places.set(place, isSame);
    return isSame;
  }
}

function read(value: unknown): Written {
  if (typeof value !== 'object' || value === null) return { text: String(value), references: NONE };
  return once(value, written);
}

function written(value: object): Written {
  const references = new Set<string>();
  const text = JSON.stringify(value, (key, inner: unknown) => {
    // Schemas that extend the one with the discriminator refer to it, and not the reverse, so all component schemas count.
    if (key === 'discriminator') references.add('#/components/schemas');
    // The target of a dynamic reference depends on the way to it.
    else if (key === '$dynamicRef') references.add('#');
    // Every text that looks like a pointer counts, also in a `mapping`.
    else if (typeof inner === 'string' && inner.startsWith('#/')) references.add(inner);
    return inner;
  });
  return { text, references };
}

const NONE: ReadonlySet<string> = new Set();

type Both<T> = Readonly<Record<VersionName, T>>;

/** The models with only the operations that differ, and those whose paths may match the same requests. */
export function withoutUnchanged(
  models: Both<ContractModel>,
  contracts: Both<ReadContract>,
  unchanged: Unchanged,
): Both<ContractModel> {
  const described = (version: VersionName): ReadonlyMap<string, unknown> =>
    new Map(models[version].operations.map((each) => [keyOf(each), description(contracts[version], each)]));
  const [old, next] = [described('old'), described('new')];
  const keys = [...new Set([...old.keys(), ...next.keys()])];
  const changed = new Set(keys.filter((key) => !unchanged.isSame(old.get(key), next.get(key))));
  const paths = [...new Set([...changed].map((key) => segmentsOf(key.slice(key.indexOf(' ') + 1))))];
  const isNear = (operation: OperationModel): boolean =>
    changed.has(keyOf(operation)) || paths.some((path) => mayBeBoth(path, segmentsOf(operation.path)));
  const near = ({ operations, ...model }: ContractModel): ContractModel => ({
    ...model,
    operations: operations.filter(isNear),
  });
  return { old: near(models.old), new: near(models.new) };
}

/** Everything that an operation is read from, apart from what it refers to. */
function description(
  { loaded: { document }, model }: ReadContract,
  { id, path, pointer, security }: OperationModel,
): unknown {
  const tokens = pointerTokens(pointer);
  return [
    [document.openapi, document.jsonSchemaDialect, model.extensions, id, path, security],
    security.flatMap((each) => Object.keys(each)).map((name) => model.securitySchemes[name]),
    valueAt(document, pointer),
    // The parameters of the path item.
    tokens.map((_, index) => valueAt(document, joinPointer('#', ...tokens.slice(0, index), 'parameters'))),
  ];
}

function segmentsOf(path: string): readonly string[] {
  return path.split('/');
}

/** Whether a request's path may match both templates: a parameter matches the segment at its position in the other. */
function mayBeBoth(path: readonly string[], other: readonly string[]): boolean {
  return (
    path.length === other.length &&
    path.every((segment, index) => {
      const beside = other[index] ?? '';
      return segment === beside || segment.includes('{') || beside.includes('{');
    })
  );
}
