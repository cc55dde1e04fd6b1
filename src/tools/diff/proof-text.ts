/** Writes the proof of a change, and lists the proofs that a bridge shows. */

import type { Change, Side, Verdict, Witness } from './change/change.js';
import type { ContractBreak } from 'concordat/contract';
import { exactJson } from '../running/wire-request.js';

export const AUDIENCE: Readonly<Record<Side, string>> = { client: 'clients', server: 'servers' };

/** What breaks clients of the old version, and a conversion can mend, by operation. A proof that is shown already is referred to. */
export function breaksOf(changes: readonly Change[]): ReadonlyMap<string, readonly ContractBreak[]> {
  const breaks = new Map<string, ContractBreak[]>();
  const shown = new Map<string, string>();
  for (const { kind, message, operations, client } of changes) {
    const { severity, witness } = client;
    if (severity !== 'breaking' || kind === 'security-changed' || kind === 'operation-removed') continue;
    const isResponse = witness === undefined ? /^(?:response|status)-/.test(kind) : 'response' in witness;
    const lines = proofOf(client, 'client');
    for (const operation of operations) {
      const earlier = shown.get(lines.join('\n'));
      shown.set(lines.join('\n'), earlier ?? operation);
      const proof = earlier === undefined ? lines : [`as ${earlier === operation ? 'above' : earlier} shows`];
      const found = { part: isResponse ? 'response' : 'request', message, proof } as const;
      breaks.set(operation, [...(breaks.get(operation) ?? []), found]);
    }
  }
  return breaks;
}

/** The lines that say why one side has a verdict. */
export function proofOf({ severity, reason, witness }: Verdict, side: Side): readonly string[] {
  return [
    ...(reason === undefined || severity === 'info' ? [] : [`${AUDIENCE[side]}: ${reason}`]),
    ...(witness === undefined || severity !== 'breaking' ? [] : witnessLines(witness)),
  ];
}

/** The message, and the reason why the other version refuses it. */
function witnessLines(witness: Witness): readonly string[] {
  const { takenBy, refusedBy, refusal } = witness;
  return [
    `the ${takenBy} version ${'request' in witness || ('document' in witness && witness.data === undefined) ? 'takes' : 'gives'}`,
    ...messageLines(witness).map((line) => `  ${line}`),
    `the ${refusedBy} version refuses it: ${refusal}`,
  ];
}

function messageLines(witness: Witness): readonly string[] {
  if ('document' in witness)
    return [witness.document, ...(witness.data === undefined ? [] : [JSON.stringify(witness.data)])];
  if ('request' in witness) {
    const { method, path, query, headers, body } = witness.request;
    const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    return [`${method} ${path}${query === '' ? '' : `?${query}`}`, ...fields, ...(body?.split('\r\n') ?? [])];
  }
  const { operation, status, headers, contentType, body } = witness.response;
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${exactJson(value)}`);
  return [
    `${operation} → ${status}`,
    ...fields,
    ...(contentType === undefined ? [] : [`content-type: ${contentType}`, exactJson(body)]),
  ];
}
