/** Fails the running test for an error that an engine reports: the engine itself ignores what its `report` throws. */
export function unexpectedReport(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
