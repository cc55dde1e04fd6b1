/** Holds decoded values against their schemas. */

import type { Exchange } from '../exchange.js';
import { failureOf } from '../check.js';
import { Problem } from '../problem.js';

/** @throws a 400 `Problem` that names the first place that does not fit */
export function validate<Caller>(exchange: Exchange<Caller>): undefined {
  const { operation, decoded, bodyCodec } = exchange;
  const { checkParameters } = operation;
  if (checkParameters !== undefined && !checkParameters(decoded)) {
    throw new Problem(400, failureOf(checkParameters, ''));
  }
  if (bodyCodec?.check !== undefined && !bodyCodec.check(decoded.body)) {
    throw new Problem(400, failureOf(bodyCodec.check, 'body'));
  }
}
