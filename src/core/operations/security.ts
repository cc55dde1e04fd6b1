/** The security of the operations: a handler per security scheme, and the contract for a policy. */
import type { SecurityHandler, OperationContract, RestContract, Signatures } from '@concordat/runtime';
import type { SecuritySchemeName } from '../../../generated/operations.js';
import { type Caller, anonymous } from '../services/rights/caller.js';
import type { Action } from '../services/rights/policy.js';
import type { Rights } from '../services/rights/rights.js';
import type { AuthenticationService } from '../services/sign-in/authentication.js';
import { operationActions } from './operation-actions.js';

/** One handler per security scheme of the contract. */
export type SecurityHandlers = Readonly<Record<SecuritySchemeName, SecurityHandler<Caller>>>;

/** The handlers that use the core's own authentication. */
export function securityHandlers(authentication: AuthenticationService): SecurityHandlers {
  return {
    bearerAuth: {
      missing: 'No token provided',
      async authenticate(token) {
        const found = await authentication.callerOfToken(token);
        if (found === undefined) return { refused: 'Invalid token' };
        const { caller, expiresAt } = found;
        return { caller, expiresAt };
      },
    },
    apiKeyAuth: {
      missing: 'API key required',
      async authenticate(key) {
        const caller = await authentication.callerOfApiKey(key);
        return caller === undefined ? { refused: 'Invalid API key' } : { caller };
      },
    },
  };
}

/**
 * The contract for a deployment's policy. The contract makes a credential optional for operations that some policy may make public.
 * If this policy does not, a request without a credential is refused before it is read (`No token provided`). Operations that are not
 * the core's stay as the contract has them.
 */
export function narrowSecurity<
  Id extends string,
  Scheme extends string,
  Handlers extends Signatures<Handlers>,
>(contract: RestContract<Id, Scheme, Handlers>, rights: Rights): RestContract<Id, Scheme, Handlers> {
  const operations: Record<Id, OperationContract> = { ...contract.operations };
  const actions = new Map<string, Action | undefined>(Object.entries(operationActions));
  for (const id of Object.keys(operations) as Id[]) {
    const action = actions.get(id);
    if (action === undefined || rights.mayEver(anonymous, action)) continue;
    const security = operations[id].security.filter((requirement) => Object.keys(requirement).length > 0);
    // An empty list would mean that no credential is read.
    if (security.length > 0) operations[id] = { ...operations[id], security };
  }
  return { ...contract, operations };
}
