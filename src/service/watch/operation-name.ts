/** How much is kept of the name of a GraphQL operation, which clients choose: nobody reads on. */

export const longestOperationName = 100;

/** For a log or a trace. */
export function shortened(operationName: string): string {
  return operationName.slice(0, longestOperationName);
}
