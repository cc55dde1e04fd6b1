/** The import of users, by the same rules as creating one. */
import { conflict, ServiceError } from '../../model/error.js';
import type { Id } from '../../model/id.js';
import { checkUserInput, emailKey } from '../../model/user.js';
import type { PasswordHasher } from '../../ports/sign-in.js';
import type { Storage } from '../../ports/storage.js';
import type { TableRow } from '../../ports/store-rows.js';
import { keptId, orRefusal, timesOf, type ImportedTimes, type Importer } from '../context/importer.js';
import { givenUser, type UserInput } from './user-input.js';

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
    return { table: 'users', row: { ...keptId(input), ...givenUser(input), ...times, password } };
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
