/** Limits the length of GraphQL operation names in logs, traces and metrics, because clients choose them. */

export const longestOperationName = 100;

/** The name for a log or a trace. */
export function shortened(operationName: string): string {
  return operationName.slice(0, longestOperationName);
}
