/** Explains why a compiled check refused a value: in one sentence, or by all failures with their places. */

import type { Check } from '../contract/contract.js';
import type { Failure } from './failure.js';
import { failuresOf } from './failures-of.js';
import { memberPointer, unescaped } from './json-value.js';

/**
 * The sentence for the first failure of a value that a check refused, such as `body/email must match format "email"`.
 *
 * @param subject - the name of the value, such as `body`; empty if the failure's path already starts with it
 */
export function failureOf(check: Check, value: unknown, subject: string): string {
  const [first] = failuresOf(check, value);
  return first === undefined ? `${subject} is not valid`.trim() : sentenceOf(first, subject);
}

/**
 * The sentence for one failure. For a value that fits none of several schemas, it explains the failure of the schema that the
 * value comes closest to. If several are equally close, the sentence joins the requirements of all of them.
 */
export function sentenceOf(failure: Failure, subject: string): string {
  const { closest, requirement } = requirementOf(failure);
  const place = subject + unescaped(closest.instancePath);
  return `${subject === '' ? place.slice(1) : place} ${requirement}`;
}

/** The failure worth reporting, the JSON Pointer to the part that it concerns, and the end of its sentence. */
export function requirementOf(failure: Failure): {
  readonly closest: Failure;
  readonly place: string;
  readonly requirement: string;
} {
  const all = closestFailures(failure);
  const [closest] = all;
  const messages = new Set(all.map((each) => `${each.message}${hintOf(each)}`));
  const place = closest.instancePath + concernedMember(closest);
  return { closest, place, requirement: [...messages].join(' or ') };
}

/** A detail that the message omits: the allowed values, or the name that is not allowed. */
function hintOf({ keyword, params }: Failure): string {
  switch (keyword) {
    case 'enum':
      return Array.isArray(params['allowedValues'])
        ? `: ${params['allowedValues'].map(shown).join(', ')}`
        : '';
    case 'const':
      return `: ${shown(params['allowedValue'])}`;
    case 'additionalProperties':
      return `: ${shown(params['additionalProperty'])}`;
    case 'unevaluatedProperties':
      return `: ${shown(params['unevaluatedProperty'])}`;
    default:
      return '';
  }
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * The failures worth reporting: the failure itself, or, if no alternative fits, those of the alternatives that got furthest. All
 * of them concern the same place.
 */
function closestFailures(verdict: Failure): readonly [Failure, ...Failure[]] {
  // Several alternatives fit although only one may, so the failures of the others are irrelevant.
  if (verdict.alternatives === undefined || Array.isArray(verdict.params['passingSchemas'])) return [verdict];
  const reasons = reasonsOf(verdict);
  const furthest = Math.max(...reasons.map((failure) => reach(failure, verdict.instancePath)));
  const closest = reasons.filter((failure) => reach(failure, verdict.instancePath) === furthest);
  const [first, ...others] = closest;
  if (first === undefined) return [verdict];
  return [first, ...others.filter(({ instancePath }) => instancePath === first.instancePath)];
}

/** The first failure of each alternative, and of the alternatives inside it; each once. */
function reasonsOf({ alternatives = [] }: Failure, seen = new Set<Failure>()): readonly Failure[] {
  return alternatives.flatMap(([first]) => {
    if (first === undefined || seen.has(first)) return [];
    seen.add(first);
    return first.alternatives === undefined ? [first] : reasonsOf(first, seen);
  });
}

/** How far an alternative got before it failed: 0 at the type or tag, 1 at a missing property, 2 at another rule, 3 inside. */
function reach({ keyword, instancePath, params }: Failure, place: string): number {
  if (
    keyword === 'const' ||
    (Array.isArray(params['allowedValues']) && params['allowedValues'].length === 1)
  ) {
    return 0; // these keywords distinguish alternatives
  }
  if (instancePath.length > place.length) return 3;
  if (keyword === 'type') return 0;
  return keyword === 'required' ? 1 : 2;
}

/** One failure as it is reported to a client. */
interface ExplainedFailure {
  /** JSON Pointer. */
  readonly pointer: string;
  /** The keyword of the schema. */
  readonly keyword: string;
  /** One sentence that names the place. */
  readonly detail: string;
}

/**
 * The failures of a value that a check refused, at least one.
 *
 * @param place - the JSON Pointer of the value, such as `/body`; empty for the whole request
 */
export function explainFailures(check: Check, value: unknown, place: string): readonly ExplainedFailure[] {
  const subject = place.slice(1);
  const failures = failuresOf(check, value);
  // A hand-written check has no schema that explains the failure.
  if (failures.length === 0)
    return [{ pointer: place, keyword: 'not', detail: `${subject} is not valid`.trim() }];
  return failures.map((failure) => {
    const { closest, place: inner } = requirementOf(failure);
    return {
      pointer: place + inner,
      keyword: closest.keyword,
      detail: sentenceOf(failure, subject),
    };
  });
}

/** The pointer to the property that a failure of its object concerns, such as a missing one; empty if there is none. */
function concernedMember({ params }: Failure): string {
  const name = MEMBERS.map((member) => params[member]).find((each) => typeof each === 'string');
  return name === undefined ? '' : memberPointer(name);
}

const MEMBERS = ['missingProperty', 'additionalProperty', 'unevaluatedProperty', 'propertyName'];
