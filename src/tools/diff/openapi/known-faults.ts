/** The faults of responses that are remembered, and the places that they name. */

/** Long explanations take most of the time, and half of the responses are those of other changes. */
export const MOST_KNOWN = 5000;

/** The faults of responses; undefined if the version that gives them does not declare them. */
export const knownFaults = (): Map<string, readonly string[] | undefined> => new Map();

/** Whether the place that a fault names is a place itself, one around it or one inside it. */
export function isAlong(steps: readonly string[], fault: string): boolean {
  const at = /^(?:body|path|query|headers|cookies)(?:\/\S*)?(?= )/.exec(fault)?.[0].split('/') ?? [];
  return steps.every((step, index) => step.toLowerCase() === (at[index] ?? step).toLowerCase());
}
