/** The part that an operation has in a sandbox: which records it reads or writes, and how. */

import type { OperationModel } from 'concordat/contract';
import type { Action, Entity } from '../../running/resources.js';
import type { Collection } from './collection.js';

/** What an operation does to the records of a collection. */
export interface Role {
  readonly operation: OperationModel;
  /** `change` sets members, as `/orders/{id}/cancel` does; `clear` deletes all records below a path. */
  readonly action: Action | 'change' | 'clear';
  readonly collection: Collection;
  /** The path parameters that are in the path of the collection too. */
  readonly at: readonly string[];
  /** Path parameters that are members of the record: `userId` of `/users/{userId}/orders`. */
  readonly bound: readonly (readonly [parameter: string, member: string])[];
  /** The collection above whose record it answers with: the cart, for a line. */
  readonly shows?: Collection | undefined;
  /** Whether it makes the record of another one, as checkout makes an order of a cart. */
  readonly isResult?: boolean;
  /** The members that `change` sets. */
  readonly set?: Entity;
  /** The collections of the records above in the path, each with the number of its path values. */
  readonly parents: readonly { readonly collection: Collection; readonly depth: number }[];
  readonly why: string;
}

/** The statuses for a record that is missing. */
export const MISSING = [404, 410] as const;
