/** Refuses to start unless a service provides exactly the parts that its contract asks for. */

/**
 * Compares names.
 *
 * @param what - the name of the compared parts, in the plural: `handlers`
 * @throws an error that lists every missing name and every name that the contract does not have
 */
export function requireExactly(what: string, needed: readonly string[], given: readonly string[]): void {
  const missing = needed.filter((name) => !given.includes(name));
  const orphans = given.filter((name) => !needed.includes(name));
  const faults = [
    ...(missing.length > 0 ? [`missing: ${missing.join(', ')}`] : []),
    ...(orphans.length > 0 ? [`not in the contract: ${orphans.join(', ')}`] : []),
  ];
  if (faults.length > 0) throw new Error(`the ${what} do not fit the contract; ${faults.join('; ')}`);
}
