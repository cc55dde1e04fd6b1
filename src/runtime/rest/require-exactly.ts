/** Refuses to start when what a service brings is not exactly what its contract asks for. */

/**
 * Compares names.
 *
 * @param what - what is compared, in the plural: `handlers`
 * @throws an error that lists every name that is missing and every name that nothing asks for
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
