/** Makes the parts of the plainest and of the fullest request of an operation. */

import type { OperationModel } from 'concordat/contract';
import { partsOf } from '../values/document-parts.js';
import { exampleValue } from '../values/example-value.js';
import type { GivenParameter, RequestParts } from './wire-request.js';

/** A request with the required parts, or with all. @returns undefined if a required value cannot be made */
export function plainParts(operation: OperationModel, full: boolean): RequestParts | undefined {
  const options = { direction: 'request', full } as const;
  const parameters: GivenParameter[] = [];
  for (const parameter of operation.parameters) {
    if (!parameter.required && !full) continue;
    const value = exampleValue(partsOf(parameter), options);
    if (value !== undefined) parameters.push({ parameter, value });
    else if (parameter.required) return undefined;
  }
  const parts = { operation, parameters, credentials: operation.security[0] ?? {} };
  const { requestBody } = operation;
  const media = requestBody?.content[0];
  if (media === undefined || !(requestBody?.required === true || full)) return parts;
  const value = exampleValue(partsOf(media), options);
  if (value === undefined) return requestBody?.required === true ? undefined : parts;
  return { ...parts, body: { media, value } };
}
