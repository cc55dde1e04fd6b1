// tenants.ts
import {
  type Caller,
  type Id,
  type Match,
  operator,
  type Policy,
  protectedPolicy,
  ServiceError,
  type WriteHooks,
} from '@concordat/core';

interface Kept {
  readonly id?: Id;
  readonly stored?: { readonly tenantId?: unknown } | undefined;
}

const isOperator = (caller: Caller): boolean => caller.kind === 'user' && caller.id === operator.id;

function tenantOf(caller: Caller): string | undefined {
  const tenant = caller.kind === 'user' ? caller.record?.stored?.['tenantId'] : undefined;
  return typeof tenant === 'string' ? tenant : undefined;
}

/** A new record has no id yet: it gets the tenant of its caller. */
function isWithin(caller: Caller, { id, stored }: Kept): boolean {
  const tenant = tenantOf(caller);
  return isOperator(caller) || (tenant !== undefined && (id === undefined || stored?.tenantId === tenant));
}

const isAdmin = (caller: Caller, record: Kept): boolean =>
  isWithin(caller, record) && caller.kind === 'user' && caller.role === 'admin';

const isOwner = (caller: Caller, owner: Id): boolean =>
  isOperator(caller) || (tenantOf(caller) !== undefined && caller.kind === 'user' && caller.id === owner);

/** The records that a caller may list. The store finds them by an index. */
const where = (caller: Caller): Match | 'all' =>
  isOperator(caller) ? 'all' : { stored: { tenantId: tenantOf(caller) } };

const ofUser = (caller: Caller, user: Kept & { readonly id: Id }): boolean =>
  isAdmin(caller, user) || isOwner(caller, user.id);
const ofOrder = (caller: Caller, order: Kept & { readonly userId: Id }): boolean =>
  isAdmin(caller, order) || isOwner(caller, order.userId);

/** Every row is a rule, because a grant such as `admin` knows no tenants. */
export const tenantPolicy: Policy = {
  'profile.read': ofUser,

  'users.create': (caller) => isAdmin(caller, {}),
  'users.read': { where },
  'users.update': ofUser,
  // A user who is created has no id.
  'users.giveRole': (caller, user: Kept) => isAdmin(caller, user),
  'users.changePassword': ofUser,
  'users.endSessions': ofUser,
  'users.activate': isAdmin,
  'users.delete': isAdmin,

  'posts.read': { where },
  'posts.create': (caller, { authorId }) => isOwner(caller, authorId),

  // An admin reads the orders of the tenant, and others their own.
  'orders.read': {
    where: (caller) =>
      caller.kind === 'user' && caller.role !== 'admin'
        ? { owner: caller.id, stored: { tenantId: tenantOf(caller) } }
        : where(caller),
  },
  'orders.create': (caller, { userId }) => isOwner(caller, userId),
  'orders.replace': ofOrder,
  'orders.changeStatus': isAdmin,
  'orders.cancel': ofOrder,
  'orders.refund': isAdmin,
  'orders.delete': ofOrder,
  'orders.deleteStarted': isAdmin,

  'products.read': { where },
  'products.write': isAdmin,

  'comments.read': { where },
  'comments.create': ofOrder,
  'comments.createAs': (caller, { userId }) => isOwner(caller, userId),

  // Keys and webhooks have no tenant.
  'keys.manage': isOperator,
  'keys.readOwn': protectedPolicy['keys.readOwn'],
  'webhooks.manage': isOperator,
  'audit.read': isOperator,
};

/** Sets the tenant of a new record. Operators, who have none, give one: `{ stored: { tenantId: 'north' } }`. */
function within<Input extends Pick<Kept, 'stored'>>(caller: Caller, input: Input): Input {
  const tenantId = isOperator(caller) ? input.stored?.tenantId : tenantOf(caller);
  if (tenantId === undefined) throw new ServiceError('forbidden', 'A record belongs to a tenant');
  return { ...input, stored: { ...input.stored, tenantId } };
}

export const tenantHooks: WriteHooks = {
  'users.create': { before: within },
  'posts.create': { before: within },
  'orders.create': { before: within },
  'comments.create': { before: within },
  'products.write': {
    before: (caller, input, { operation }) =>
      operation === 'products.create' && input !== undefined && 'price' in input
        ? within(caller, input)
        : undefined,
  },
};
