/** Compares operations by everything that is written about them, and leaves out those that are the same in both versions. */

import type { ReadContract } from '../../running/running-contract.js';
import {
  type ContractModel,
  type OperationModel,
  joinPointer,
  pointerTokens,
  valueAt,
} from 'concordat/contract';
import type { VersionName } from '../change/change.js';
import { keyOf } from './judge.js';

/** The content of one place: the number of its text, and the places that it refers to. */
interface Part {
  readonly text: number;
  readonly references: ReadonlySet<string>;
}

export class Fingerprints {
  readonly #parts = new Map<string, Part>();
  /** The parts of the contract that affect every operation. */
  readonly #common: string;

  /** @param texts - the numbers of texts; all fingerprints that are compared share this map */
  constructor(
    private readonly contract: ReadContract,
    private readonly texts: Map<string, number>,
  ) {
    const { openapi, jsonSchemaDialect } = contract.loaded.document;
    this.#common = JSON.stringify([openapi, jsonSchemaDialect, contract.model.extensions]);
  }

  /**
   * The fingerprint of an operation. Two are equal only if everything that the operations are read from is equal, including
   * references.
   */
  of({ id, path, pointer, security }: OperationModel): string {
    const { model } = this.contract;
    const schemes = security.flatMap((each) => Object.keys(each)).map((name) => model.securitySchemes[name]);
    const found = [JSON.stringify([this.#common, id, path, security, schemes])];
    const places = new Set([pointer, ...this.#parametersAround(pointer)]);
    // References that are found on the way are visited in turn.
    for (const place of places) {
      const part = this.#partAt(place);
      // The operation itself may be at another place in the other version.
      found.push(`${place === pointer ? '' : place} ${String(part.text)}`);
      for (const reference of part.references) places.add(reference);
    }
    return found.join('\n');
  }

  /** The parameters of the path item. */
  #parametersAround(pointer: string): readonly string[] {
    const tokens = pointerTokens(pointer);
    return tokens
      .map((_, index) => joinPointer('#', ...tokens.slice(0, index), 'parameters'))
      .filter((place) => valueAt(this.contract.loaded.document, place) !== undefined);
  }

  #partAt(place: string): Part {
    const known = this.#parts.get(place);
    if (known !== undefined) return known;
    const references = new Set<string>();
    const text = JSON.stringify(
      valueAt(this.contract.loaded.document, place) ?? null,
      (key, value: unknown) => {
        const reference = referenceOf(key, value);
        if (reference !== undefined) references.add(reference);
        return value;
      },
    );
    const number = this.texts.get(text) ?? this.texts.size;
    this.texts.set(text, number);
    const part = { text: number, references };
    this.#parts.set(place, part);
    return part;
  }
}

/** The place that a value may refer to. Every text that looks like a pointer counts, also in a `mapping`. */
function referenceOf(key: string, value: unknown): string | undefined {
  // Schemas that extend the one with the discriminator refer to it, and not the reverse, so all component schemas count.
  if (key === 'discriminator') return '#/components/schemas';
  if (typeof value !== 'string') return undefined;
  if (value.startsWith('#/')) return value;
  // An anchor or a relative reference may lead anywhere.
  return key === '$ref' || key === '$dynamicRef' ? '#/components' : undefined;
}

type Both<T> = Readonly<Record<VersionName, T>>;

/** The models with only the operations that differ, and those whose paths may match the same requests. */
export function withoutUnchanged(
  models: Both<ContractModel>,
  fingerprints: Both<Fingerprints>,
): Both<ContractModel> {
  const printed = (version: VersionName): ReadonlyMap<string, string> =>
    new Map(models[version].operations.map((each) => [keyOf(each), fingerprints[version].of(each)]));
  const [old, next] = [printed('old'), printed('new')];
  const keys = [...new Set([...old.keys(), ...next.keys()])];
  const changed = new Set(keys.filter((key) => old.get(key) !== next.get(key)));
  const paths = [...new Set([...changed].map((key) => segmentsOf(key.slice(key.indexOf(' ') + 1))))];
  const isNear = (operation: OperationModel): boolean =>
    changed.has(keyOf(operation)) || paths.some((path) => mayBeBoth(path, segmentsOf(operation.path)));
  const near = ({ operations, ...model }: ContractModel): ContractModel => ({
    ...model,
    operations: operations.filter(isNear),
  });
  return { old: near(models.old), new: near(models.new) };
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
