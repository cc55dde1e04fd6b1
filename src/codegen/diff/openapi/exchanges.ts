/** Sorts the operations of a contract by who asks: clients ask for operations, the service sends webhooks and callbacks. */

import type { ContractModel, OperationModel, OutgoingModel } from '../../read/model.js';
import { freeName } from '../../read/names.js';
import type { ReadContract } from '../../running/running-contract.js';
import { resolvePointer } from '../../text/pointer.js';
import { keyOf, labelOf } from './draft.js';

/** A request that the service sends, and the operation that its receiver serves. */
interface Sent {
  readonly outgoing: OutgoingModel;
  readonly served: OperationModel;
}

/**
 * The contract of each round of requests: the operations, then webhooks and the callbacks of operations, then the callbacks of
 * those, and so on. Each round goes the other way than the one before it.
 */
export function roundsOf({ loaded, model }: ReadContract): readonly ContractModel[] {
  const nothingSent = { webhooks: [], callbacks: [], callbackItems: {} };
  const rounds: ContractModel[] = [{ ...model, ...nothingSent }];
  const isSecured = ({ pointer }: OperationModel): boolean =>
    'security' in (resolvePointer(loaded.document, pointer) as object);
  const ids = new Set<string>();
  const sentAs = (outgoing: OutgoingModel, ...names: readonly string[]): Sent => ({
    outgoing,
    served: {
      ...outgoing,
      id: freeName(outgoing.id, ids),
      path: names.map((name) => `/${encodeURIComponent(name)}`).join(''),
      // What the document asks of its clients is not what they ask of the service.
      security: isSecured(outgoing) ? outgoing.security : [],
    },
  });
  const callbacksOf = (owner: OperationModel, label: string): readonly Sent[] =>
    owner.callbacks.flatMap(({ name, url }) =>
      model.callbacks
        .filter(({ path }) => path === `${owner.id}.${name} ${url}`)
        .map((each) => sentAs(each, name, url, label)),
    );
  let sent: readonly Sent[] = [
    ...model.webhooks.map((each) => sentAs(each, each.path)),
    ...model.operations.flatMap((each) => callbacksOf(each, keyOf(each))),
  ];
  while (sent.length > 0) {
    rounds.push({ ...model, ...nothingSent, operations: sent.map(({ served }) => served) });
    ids.clear();
    sent = sent.flatMap(({ outgoing, served }) => callbacksOf(outgoing, labelOf(served)));
  }
  return rounds;
}
