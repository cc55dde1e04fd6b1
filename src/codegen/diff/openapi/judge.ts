/** Finds the verdict of a change: it is breaking if a message proves it. */

import { sentenceOf } from 'concordat/testing';
import type { Change, Side, Verdict, VersionName, Witness } from '../change/change.js';
import { SEVERITIES, SIDES } from '../change/change.js';
import { type Draft, type Probe, type Suspicion, type Versions, otherVersion, requesterOf } from './draft.js';
import type { Progress } from '../../running/running-contract.js';
import { wireRequest } from '../../running/wire-request.js';

/** The maximum number of messages that are tried for one side of a change. */
const BUDGET = 400;

/** Turns drafts into changes. Drafts with the same key become one change, with all their operations. */
export async function judged(
  versions: Versions,
  drafts: Iterable<Draft>,
  progress?: Progress,
): Promise<readonly Change[]> {
  const groups = new Map<string, [Draft, ...Draft[]]>();
  for (const draft of drafts) {
    const known = groups.get(draft.key);
    if (known === undefined) groups.set(draft.key, [draft]);
    else known.push(draft);
  }
  const changes: Change[] = [];
  for (const group of groups.values()) {
    changes.push(await changeOf(versions, group));
    progress?.(changes.length, groups.size);
  }
  return changes;
}

async function changeOf(versions: Versions, group: readonly [Draft, ...Draft[]]): Promise<Change> {
  const [{ kind, message, old, new: next }] = group;
  const verdicts = new Map<Side, Verdict>();
  for (const side of SIDES) verdicts.set(side, await verdictOf(versions, group, side));
  const safe: Verdict = { severity: 'safe' };
  return {
    kind,
    message,
    operations: [...new Set(group.flatMap(({ operation }) => operation ?? []))],
    ...(old !== undefined && { old: versions.old.place(old) }),
    ...(next !== undefined && { new: versions.new.place(next) }),
    client: verdicts.get('client') ?? safe,
    server: verdicts.get('server') ?? safe,
  };
}

async function verdictOf(versions: Versions, group: readonly Draft[], side: Side): Promise<Verdict> {
  let tried = 0;
  let worst: Verdict = { severity: 'safe' };
  for (const draft of group) {
    const suspicion = draft[side];
    if (suspicion === undefined || (tried >= BUDGET && worst.severity !== 'safe')) continue;
    const before = tried;
    for (const probe of draft.probes?.(side) ?? []) {
      if (tried >= BUDGET) break;
      const witness = await tryProbe(versions, probe, side);
      if (witness === 'not valid') continue;
      tried += 1;
      if (witness !== undefined) return proved(suspicion, witness);
    }
    const verdict = unproved(suspicion, tried - before);
    if (SEVERITIES.indexOf(verdict.severity) < SEVERITIES.indexOf(worst.severity)) worst = verdict;
  }
  return worst;
}

function proved({ atMost, reason }: Suspicion, witness: Witness): Verdict {
  if (atMost === undefined) return { severity: 'breaking', witness };
  return { severity: atMost, ...(reason !== undefined && { reason }), witness };
}

function unproved({ otherwise, untried = 'dangerous', reason: given }: Suspicion, tried: number): Verdict {
  const found = tried > 0 || given !== undefined ? otherwise : untried;
  if (tried > 0 && given === undefined && found === 'safe') return { severity: 'safe' };
  const reason =
    given ??
    (tried === 0
      ? 'no example message could be built'
      : `none of ${String(tried)} messages proves that it is breaking`);
  return found === 'unproven'
    ? { severity: 'breaking', unproven: true, reason }
    : { severity: found, reason };
}

/** @returns undefined for a message that both versions accept */
async function tryProbe(
  versions: Versions,
  probe: Probe,
  side: Side,
): Promise<Witness | undefined | 'not valid'> {
  const requester = requesterOf(side);
  if ('request' in probe) {
    const receiver = otherVersion(requester);
    const schemes = {
      ...versions[receiver].model.securitySchemes,
      ...versions[requester].model.securitySchemes,
    };
    const request = wireRequest(probe.request, schemes);
    if (request === undefined || 'refusal' in (await versions[requester].reachOf(request)))
      return 'not valid';
    const reach = await versions[receiver].reachOf(request);
    if ('operation' in reach) return undefined;
    return { request, ...disagreement(requester, receiver, reach.refusal.sentence) };
  }
  const giver = otherVersion(requester);
  const { operation, response } = probe;
  if (versions[giver].objectionTo(operation[giver], response) !== undefined) return 'not valid';
  const refusal = versions[requester].objectionTo(operation[requester], response);
  if (refusal === undefined) return undefined;
  return {
    response: { operation: operation.label, ...response },
    ...disagreement(giver, requester, sentenceOf(refusal)),
  };
}

function disagreement(takenBy: VersionName, refusedBy: VersionName, refusal: string) {
  return { takenBy, refusedBy, refusal };
}
