/** All that clients do. */

import type { Action } from '../calls.js';
import { auditActions } from './audit.js';
import { boundActions } from './bounds.js';
import { commentActions } from './comments.js';
import { externalActions } from './external-sign-in.js';
import { graphqlActions } from './graphql.js';
import { ownPartActions, partActions } from './graphql-parts.js';
import { graphqlReadActions } from './graphql-reads.js';
import { limitActions } from './limits.js';
import { listActions } from './lists.js';
import { orderActions } from './orders.js';
import { orderMoveActions } from './order-moves.js';
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
  ...orderMoveActions,
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
  ...boundActions,
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

/** Those that ask for what no rule decides, and bring no records or callers about. */
const withoutRules = new Set([...graphqlReadActions, ...partActions, ...limitActions]);

/** How often they are drawn where rules are tried, if it is not as elsewhere: what is rare elsewhere is not, and records are few. */
const ruleWeights: Readonly<Record<string, number>> = {
  ...{ deleteOrder: 5, updateOrder: 14, refundOrder: 6, cancelOrder: 4, createOrder: 8 },
  ...{
    deleteUser: 2,
    createUser: 3,
    replaceUser: 8,
    activateUser: 4,
    endUserSessions: 4,
    login: 6,
    'a change of a role': 6,
  },
  ...{
    replaceProduct: 6,
    updateProduct: 6,
    getComment: 8,
    createComment: 6,
    listUserOrders: 4,
    getUserOrder: 3,
    getFeed: 3,
    createPost: 5,
  },
};

export const ruleActions = commonActions
  .filter((action) => !withoutRules.has(action) || action.name.endsWith('over GraphQL'))
  .map(({ name, weight }) => ({ name, weight: ruleWeights[name] ?? weight }));

/** Writes that have one effect, or none, when several clients send them at once. */
export const raceActions = ruleActions.filter(({ name }) =>
  /^(?:replace|update|cancel|refund|createUser|refreshToken|a creation|a change)/.test(name),
);

const lists = new Set([...listActions, ...userListActions, ...graphqlReadActions].map(({ name }) => name));

/** Those that read lists, and a few that make them longer and bring callers about. */
export const pageActions = ruleActions.map((action) =>
  lists.has(action.name) ? { ...action, weight: 6 * action.weight } : action,
);
