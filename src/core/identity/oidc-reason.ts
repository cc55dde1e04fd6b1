/** Describes why a sign-in failed, for the log. */

import { AuthorizationResponseError, ResponseBodyError } from 'openid-client';

/** The messages of an error and of its causes; never the responses that it carries, which may hold tokens. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) {
    return `the provider says ${error.error}: ${error.error_description ?? 'no more than that'}`;
  }
  return error.cause instanceof Error ? `${error.message}: ${reasonOf(error.cause)}` : error.message;
}
