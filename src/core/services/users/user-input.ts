/** The input for users, the fields that a store writes from it, what the audit log has of it, and the import of users. */
import type { AuditedAction } from '../context/audit.js';
import { pick } from '../../model/fields.js';
import {
  optionalUserFields,
  userFields,
  type Role,
  type UserStatus,
  checkUserInput,
  emailKey,
} from '../../model/user.js';
import type { StoredOf } from '../../model/stored.js';
import type { NewUser, UserChange } from '../../ports/user-store.js';
import { conflict, ServiceError } from '../../model/error.js';
import type { Id } from '../../model/id.js';
import type { PasswordHasher } from '../../ports/sign-in.js';
import type { Storage } from '../../ports/storage.js';
import type { TableRow } from '../../ports/store-rows.js';
import {
  keptId,
  orRefusal,
  rowFields,
  timesOf,
  type ImportedTimes,
  type Importer,
} from '../context/importer.js';

/** The input for a whole user. */
export interface UserInput extends Omit<NewUser, 'role' | 'status' | 'passwordHash'> {
  readonly password: string | undefined;
  readonly role: Role | undefined;
  readonly status: UserStatus | undefined;
}

/** The fields of a user to change; undefined fields keep their value. */
export interface UserPatch {
  readonly name: string | undefined;
  readonly email: string | undefined;
  readonly stored?: StoredOf<'User'> | undefined;
}

/** A new user. A literal takes a quarter of the time of copies with further fields. */
export function givenUser(input: UserInput, passwordHash?: string): NewUser {
  const { name, email, phone, city, role = 'user', status = 'active', stored } = input;
  return { name, email, phone, city, role, status, passwordHash, stored };
}

/** All fields as a change, which clears the optional fields that are undefined. */
export function writtenFields(input: UserInput): Partial<UserChange> {
  const cleared = Object.fromEntries(optionalUserFields.map((field) => [field, input[field] ?? null]));
  return { ...pick(input, userFields), ...cleared, stored: input.stored };
}

/** The actions that giving a role or a status takes. */
export function givingRole({
  role,
  status,
}: Pick<UserInput, 'role' | 'status'>): readonly 'users.giveRole'[] {
  return role === undefined && status === undefined ? [] : ['users.giveRole'];
}

/** The entry of the audit log for a role or a status that is given. */
export function grants(given: Pick<UserInput, 'role' | 'status'>): readonly AuditedAction[] {
  return givingRole(given).map((action) => {
    const details = [given.role && `role ${given.role}`, given.status && `status ${given.status}`];
    return { action, detail: details.filter(Boolean).join(', ') };
  });
}

/** The name of a user in the audit log. */
export function targetOf(id: string): string {
  return `user:${id}`;
}

/** With the id that it keeps, if any. */
export type UserImport = UserInput & ImportedTimes & { readonly id?: Id };

export class UserImporter implements Importer<UserImport> {
  readonly #storage: Storage;
  readonly #passwordHasher: PasswordHasher;
  readonly #now: string;
  readonly #emails = new Set<string>();

  constructor(storage: Storage, passwordHasher: PasswordHasher, now: string) {
    this.#storage = storage;
    this.#passwordHasher = passwordHasher;
    this.#now = now;
  }

  check(inputs: readonly UserImport[]): Promise<readonly (TableRow | ServiceError)[]> {
    return Promise.all(
      inputs.map(async (input) => {
        const checked = orRefusal(() => this.#check(input));
        if (checked instanceof ServiceError) return checked;
        const found = await this.#storage.users.findCredentials(input.email);
        return found === undefined ? checked : conflict('Email already in use');
      }),
    );
  }

  /** The password is hashed later, because hashing is slow and the import may still be refused. */
  #check(input: UserImport): TableRow {
    checkUserInput(input);
    const { email, password } = input;
    const times = timesOf(input, this.#now);
    const key = emailKey(email);
    if (this.#emails.has(key)) throw conflict('Email already in use by an earlier line');
    this.#emails.add(key);
    return { table: 'users', row: { ...keptId(input), ...rowFields(givenUser(input)), ...times, password } };
  }

  prepare(checked: readonly TableRow[]): Promise<readonly TableRow[]> {
    return Promise.all(
      checked.map(async ({ table, row: { password, ...row } }) => {
        if (typeof password !== 'string') return { table, row };
        return { table, row: { ...row, passwordHash: await this.#passwordHasher.hash(password) } };
      }),
    );
  }
}
