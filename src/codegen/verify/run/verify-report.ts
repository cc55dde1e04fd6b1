/** What a verification tells. */

import type { WireRequest } from '../../running/message.js';
import type { Rule } from './rules.js';

export interface VerifyReport {
  readonly url: string;
  readonly seed: number;
  /** How many were sent. */
  readonly requests: number;
  /** Whether all requests were sent, and not only those that the budget had room for. */
  readonly isComplete: boolean;
  readonly operations: readonly OperationReport[];
  readonly violations: readonly Violation[];
  /** The operations of the document that got no request, because a credential is missing. */
  readonly unverified: readonly UnverifiedOperation[];
}

export interface UnverifiedOperation extends Pick<OperationReport, 'id' | 'name'> {
  readonly kind: 'missing-credential';
  /** The alternatives of the operation's security, each with the schemes that no credential was given for. */
  readonly missing: readonly (readonly string[])[];
}

export interface OperationReport {
  readonly id: string;
  /** `GET /users`. */
  readonly name: string;
  readonly requests: number;
  /** How many valid requests were answered by a success or a redirect. */
  readonly successes: number;
}

export interface Violation {
  readonly rule: Rule;
  /** Whether the caller said that the rule only warns here. */
  readonly isWarning: boolean;
  /** `GET /users`. */
  readonly operation: string;
  /** What the request is about: `query limit: one beyond maximum`. */
  readonly about: string;
  /** One sentence without a full stop. */
  readonly message: string;
  /** How many requests show it, those left out that made it smaller. */
  readonly count: number;
  /** The smallest request that shows it. */
  readonly request: WireRequest;
  /** Lines of curl: the last sends the request, and those before it what led to it. */
  readonly curl: readonly string[];
  /** Absent where the server did not answer. */
  readonly answer?: { readonly status: number; readonly text: string };
}
