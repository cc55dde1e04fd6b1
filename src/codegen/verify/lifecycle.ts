/** Creates resources, reads them, deletes them, and reads them again. */

import type { OpenApiDocument } from '../load/openapi.js';
import type { OperationModel } from '../read/model.js';
import type { RunningContract } from '../running/running-contract.js';
import { plainParts } from './request-cases.js';
import type { Outcome, Session } from './session.js';
import { namesOf } from './known-resources.js';
import type { Finding } from './run/rules.js';
import { isMocked } from './run/send-request.js';

/** The operations of one kind of resource. */
export interface Lifecycle {
  readonly create: OperationModel;
  readonly read: OperationModel;
  readonly remove?: OperationModel;
}

/** A finding of a lifecycle: the step that shows it, followed by the steps that led to it. */
export interface LifecycleFinding extends Finding {
  readonly steps: readonly [Outcome, ...Outcome[]];
}

/** A POST of a collection, with the GET and the DELETE of its items. */
export function lifecyclesOf(operations: readonly OperationModel[]): readonly Lifecycle[] {
  return operations.flatMap((create) => {
    const read = ofItem(operations, create, 'GET');
    const remove = ofItem(operations, create, 'DELETE');
    return read === undefined ? [] : [{ create, read, ...(remove && { remove }) }];
  });
}

/** The operation of a method on the items that a POST creates. */
function ofItem(
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
export async function runLifecycle(
  document: OpenApiDocument,
  session: Session,
  { create, read, remove }: Lifecycle,
  seen: (outcome: Outcome) => Promise<void>,
): Promise<LifecycleFinding | undefined> {
  const send = async (operation: OperationModel, pathValues?: Outcome['pathValues']) => {
    const parts = plainParts(document, operation, operation === create);
    const about = `${operation.method} of the created resource`;
    const outcome = parts && (await session.send({ about, parts }, pathValues));
    if (outcome !== undefined) await seen(outcome);
    return outcome;
  };
  const created = await send(create);
  if (created === undefined || !isSuccess(created)) return undefined;
  const item = created.created.find(({ length }) => length === namesOf(read.path).length);
  if (item === undefined) return undefined;
  const found = await send(read, item);
  if (found === undefined || isMocked(found.answer)) return undefined;
  if (isGone(found)) {
    return {
      rule: 'lost',
      message: `it was created, and is answered by ${statusOf(found)}`,
      steps: [found, created],
    };
  }
  if (remove === undefined || !isSuccess(found)) return undefined;
  const removed = await send(remove, item);
  if (removed === undefined || !isSuccess(removed)) return undefined;
  const again = await send(read, item);
  if (again !== undefined && isSuccess(again)) {
    const message = `it was deleted, and is answered by ${statusOf(again)}`;
    return { rule: 'not-deleted', message, steps: [again, created, removed] };
  }
  await send(remove, item);
  return undefined;
}

function statusOf({ answer }: Outcome): string {
  return 'status' in answer ? String(answer.status) : answer.failure;
}

function isSuccess({ answer }: Outcome): boolean {
  return 'status' in answer && answer.status >= 200 && answer.status < 300;
}

function isGone({ answer }: Outcome): boolean {
  return 'status' in answer && [404, 410].includes(answer.status);
}
