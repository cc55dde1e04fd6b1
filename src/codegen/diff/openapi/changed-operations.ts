/** Leaves out the operations that are the same in both versions. */

import type { ContractModel, OperationModel } from '../../read/model.js';
import type { VersionName } from '../change/change.js';
import { keyOf } from './draft.js';
import type { Fingerprints } from './fingerprints.js';

type Both<T> = Readonly<Record<VersionName, T>>;

/** The models with the operations that differ, and with those that may take a request in their place. */
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

/** Whether one path may lead to both: a parameter or a pattern matches what the other has in its place. */
function mayBeBoth(path: readonly string[], other: readonly string[]): boolean {
  return (
    path.length === other.length &&
    path.every((segment, index) => {
      const beside = other[index] ?? '';
      return segment === beside || segment.includes('{') || beside.includes('{');
    })
  );
}
