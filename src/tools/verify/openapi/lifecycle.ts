/** The steps in which a resource of a document is created, read and deleted. */

import type { OpenApiDocument, OperationModel } from 'concordat/contract';
import type { RunningContract } from '../../running/running-contract.js';
import { plainParts } from './request-cases.js';
import type { Outcome, Session } from './session.js';
import { type PathValues, namesOf } from './known-resources.js';
import type { Lifecycle, LifecycleSteps } from '../run/lifecycle.js';

/** A POST of a collection, with the GET and the DELETE of its items. */
export function lifecyclesOf(operations: readonly OperationModel[]): readonly Lifecycle<OperationModel>[] {
  return operations.flatMap((create) => {
    const read = ofItem(operations, create, 'GET');
    const remove = ofItem(operations, create, 'DELETE');
    return read === undefined ? [] : [{ create, read, ...(remove && { remove }) }];
  });
}

/** The operation of a method on the items that a POST creates. */
export function ofItem(
  operations: readonly OperationModel[],
  create: OperationModel,
  method: string,
): OperationModel | undefined {
  const isItem = ({ path }: OperationModel): boolean =>
    path.startsWith(`${create.path}/`) && /^\{[^}/]+\}$/.test(path.slice(create.path.length + 1));
  return create.method === 'POST'
    ? operations.find((each) => each.method === method && isItem(each))
    : undefined;
}

/** Deletes the resource that a request created, so that a similar request is not refused as a duplicate. */
export async function undo(
  { document, model }: RunningContract,
  session: Session,
  outcome: Outcome,
): Promise<void> {
  const remove = ofItem(model.operations, outcome.case.parts.operation, 'DELETE');
  const parts = remove && plainParts(document, remove, false);
  const [item] = outcome.created;
  if (parts !== undefined && item !== undefined) await session.send({ about: 'to undo', parts }, item);
}

/** @param seen - called with each answer */
export function lifecycleSteps(
  document: OpenApiDocument,
  session: Session,
  seen: (outcome: Outcome) => Promise<void>,
): LifecycleSteps<OperationModel, PathValues, Outcome> {
  return {
    async send(operation, pathValues) {
      const parts = plainParts(document, operation, pathValues === undefined);
      const about = `${operation.method} of the created resource`;
      const outcome = parts && (await session.send({ about, parts }, pathValues));
      if (outcome !== undefined) await seen(outcome);
      return outcome;
    },
    createdBy,
    isSuccess,
    isGone,
    messages: {
      lost: (found) => `it was created, and is answered by ${statusOf(found)}`,
      'not-deleted': (again) => `it was deleted, and is answered by ${statusOf(again)}`,
    },
  };
}

/** The path values of the resource that a request created. */
export function createdBy({ created, case: { parts } }: Outcome): PathValues | undefined {
  return created.find(({ length }) => length === namesOf(parts.operation.path).length + 1);
}

export function isGone({ answer }: Outcome): boolean {
  return 'status' in answer && [404, 410].includes(answer.status);
}

export function statusOf({ answer }: Outcome): string {
  return 'status' in answer ? String(answer.status) : answer.failure;
}

export function isSuccess({ answer }: Outcome): boolean {
  return 'status' in answer && answer.status >= 200 && answer.status < 300;
}
