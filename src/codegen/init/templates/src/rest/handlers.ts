/** The types of the handlers of __CONTRACT__. */

import type { CallContext } from '@concordat/runtime';
import type { Operations } from '__GENERATED__/operations.js';

/** The caller: what a security handler returns for a credential; undefined if the operation requires none. */
export type Caller = { readonly id: string } | undefined;

/** One handler per operation. Each gets the decoded, checked request and `{ caller, request, … }`. */
export type Handlers = Operations<CallContext<Caller>>;
