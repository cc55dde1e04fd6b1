/** Reads the requests that the service sends itself: the webhooks of a document, and the callbacks of its operations. */

import type { CallbackItem, ContractModel, OperationDraft, OperationModel, OutgoingModel } from './model.js';
import type { PathItem, Referenced } from '../schemas/document.js';
import { derivedId, freeName, typeNameOf } from '../../text/identifiers.js';
import type { Reader } from './reader.js';
import { joinPointer } from '../../text/pointer.js';

type ReadPathItem = (
  reader: Reader,
  path: string,
  item: Referenced<PathItem>,
  at: string,
  isSent: boolean,
) => readonly OperationDraft[];

/** The maximum number of nested callbacks: through references, a short document can declare any number of them. */
const MOST_NESTED = 1000;

/** An outgoing request, and the name of its webhook or callback. */
interface OutgoingDraft extends OperationDraft {
  readonly name: string;
  /** Whether its path item has several operations, so that the name alone is ambiguous. */
  readonly isOneOfSeveral: boolean;
  readonly url?: string;
  /** The places of the callbacks that it is nested in, including its own. */
  readonly chain?: readonly string[];
}

/**
 * The outgoing requests of a document.
 *
 * @param typeNames - the type names of the operations; those of the outgoing requests are added
 */
export function readOutgoing(
  reader: Reader,
  operations: readonly OperationModel[],
  typeNames: Set<string>,
  readPathItem: ReadPathItem,
): Pick<ContractModel, 'webhooks' | 'callbacks' | 'callbackItems'> {
  const draftsOf = (name: string, path: string, item: Referenced<PathItem>, at: string) => {
    const drafts = readPathItem(reader, path, item, at, true);
    return drafts.map((draft): OutgoingDraft => ({ ...draft, name, isOneOfSeveral: drafts.length > 1 }));
  };
  const received = Object.entries(reader.document.webhooks ?? {}).flatMap(([name, item]) =>
    draftsOf(name, name, item, joinPointer('#/webhooks', name)),
  );
  const webhooks = named(received, 'Webhook', typeNames);
  const callbacks: OutgoingModel[] = [];
  const items: Record<string, Referenced<PathItem>> = {};
  const ids = new Set<string>();
  // A callback may declare callbacks itself.
  let nested = -operations.concat(webhooks).flatMap((owner) => owner.callbacks).length;
  for (let owners: readonly Owner[] = [...operations, ...webhooks]; owners.length > 0;) {
    const drafts = owners.flatMap((owner) =>
      owner.callbacks.flatMap(({ name, url, item, at }) => {
        const { id, chain = [] } = owner;
        if (chain.includes(at) || nested === MOST_NESTED) {
          reader.unsupported('recursive-callback', at, RECURSIVE);
          return [];
        }
        nested += 1;
        const path = `${id}.${name} ${url}`;
        items[path] = item;
        const inside = [...chain, at];
        return draftsOf(`${id}.${name}`, path, item, at).map((draft) => ({ ...draft, url, chain: inside }));
      }),
    );
    owners = named(drafts, 'Callback', typeNames, ids);
    callbacks.push(...(owners as readonly OutgoingModel[]));
  }
  return { webhooks, callbacks, callbackItems: items };
}

type Owner = OperationModel & Pick<OutgoingDraft, 'chain'>;

const RECURSIVE = `the callbacks of a callback are left out if it refers to itself, and after ${MOST_NESTED} of them`;

/** Names each request by its operationId, or else by its webhook or callback. */
function named(
  drafts: readonly OutgoingDraft[],
  suffix: 'Webhook' | 'Callback',
  typeNames: Set<string>,
  ids = new Set<string>(),
): readonly OutgoingModel[] {
  return drafts.map(({ name, isOneOfSeveral, operationId, ...draft }) => {
    const byName = isOneOfSeveral ? derivedId(draft.method.toLowerCase(), name) : name;
    const id = freeName(operationId ?? byName, ids);
    return { ...draft, id, typeName: freeName(`${typeNameOf(id)}${suffix}`, typeNames) };
  });
}

/** The callbacks that an operation declares, before they are read. */
export function callbacksOf(
  reader: Reader,
  callbacks: Readonly<Record<string, Referenced<Readonly<Record<string, Referenced<PathItem>>>>>> = {},
  at: string,
): readonly CallbackItem[] {
  return Object.entries(callbacks).flatMap(([name, declared]) => {
    const callback = reader.attempt(() => reader.follow(declared, joinPointer(at, name)));
    return Object.entries(callback?.value ?? {}).flatMap(([url, item]) =>
      url.startsWith('x-') ? [] : [{ name, url, item, at: joinPointer(callback?.at ?? at, url) }],
    );
  });
}
