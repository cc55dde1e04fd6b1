/** The report of a verification. */

import type { WireRequest } from '../../running/message.js';
import type { Rule } from './rules.js';

export interface VerifyReport {
  readonly url: string;
  readonly seed: number;
  /** The number of requests sent. */
  readonly requests: number;
  /** Whether all requests were sent before the budget was spent. */
  readonly isComplete: boolean;
  readonly operations: readonly OperationReport[];
  readonly violations: readonly Violation[];
  /** The operations that got no request, because a credential is missing. */
  readonly unverified: readonly UnverifiedOperation[];
}

export interface UnverifiedOperation extends Pick<OperationReport, 'id' | 'name'> {
  readonly kind: 'missing-credential';
  /** The alternatives of the operation's security, each as the schemes without a given credential. */
  readonly missing: readonly (readonly string[])[];
}

export interface OperationReport {
  readonly id: string;
  /** `GET /users`. */
  readonly name: string;
  readonly requests: number;
  /** The number of valid requests that were answered by a success or a redirect. */
  readonly successes: number;
}

export interface Violation {
  readonly rule: Rule;
  /** Whether the rule only warns here, by the option `warn`. */
  readonly isWarning: boolean;
  /** `GET /users`. */
  readonly operation: string;
  /** The subject of the request: `query limit: one beyond maximum`. */
  readonly about: string;
  /** One sentence without a full stop. */
  readonly message: string;
  /** The number of requests that show it, without those sent to shrink it. */
  readonly count: number;
  /** The smallest request that shows it. */
  readonly request: WireRequest;
  /** Lines of curl: the last sends the request, and those before it send the requests that led to it. */
  readonly curl: readonly string[];
  /** Absent if the server did not answer. */
  readonly answer?: { readonly status: number; readonly text: string };
}
