/** All that clients do. */

import type { Action } from '../calls.js';
import { auditActions } from './audit.js';
import { commentActions } from './comments.js';
import { externalActions } from './external-sign-in.js';
import { graphqlActions } from './graphql.js';
import { ownPartActions, partActions } from './graphql-parts.js';
import { graphqlReadActions } from './graphql-reads.js';
import { limitActions } from './limits.js';
import { listActions } from './lists.js';
import { orderActions } from './orders.js';
import { left, otherActions, repeated } from './others.js';
import { keyActions } from './keys.js';
import { patchActions } from './patches.js';
import { productActions } from './products.js';
import { signInActions } from './sign-in.js';
import { unitActions } from './units.js';
import { userActions } from './users.js';
import { userListActions } from './user-lists.js';
import { userOrderActions } from './user-orders.js';
import { webhookActions } from './webhooks.js';

export const actions: readonly Action[] = [
  ...userActions,
  ...signInActions,
  ...externalActions,
  ...orderActions,
  ...userOrderActions,
  ...commentActions,
  ...productActions,
  ...patchActions,
  ...keyActions,
  ...webhookActions,
  ...auditActions,
  ...graphqlActions,
  ...graphqlReadActions,
  ...partActions,
  ...ownPartActions,
  ...limitActions,
  ...userListActions,
  ...listActions,
  ...unitActions,
  ...otherActions,
];

/** Those that need a neighbour, a store or code of the deployer in the process of the simulation. */
const inProcess = new Set([
  ...externalActions,
  ...webhookActions,
  ...unitActions,
  ...ownPartActions,
  repeated,
  left,
]);

/** Those that can be played in any world. */
export const commonActions = actions.filter((action) => !inProcess.has(action));
