/** The import of users, by the same rules as creating one. */
import { conflict, ServiceError } from '../../model/error.js';
import { checkUserInput, emailKey } from '../../model/user.js';
import type { ImportEntry, ImportedUser, ImportRefusal } from '../../ports/import-store.js';
import type { PasswordHasher } from '../../ports/sign-in.js';
import type { Storage } from '../../ports/storage.js';
import { keptId, orRefusal, timesOf, type ImportedTimes, type Importer } from '../context/importer.js';
import { givenUser, type UserInput } from './user-input.js';

/** With the id that it keeps, if any. */
export type UserImport = UserInput & ImportedTimes & Pick<ImportedUser, 'id'>;

/** A user that may be stored. The password is hashed later, because hashing is slow and the import may still be refused. */
export interface CheckedUser {
  readonly user: ImportedUser;
  readonly password: string | undefined;
}

export class UserImporter implements Importer<UserImport, CheckedUser, ImportedUser> {
  readonly #storage: Storage;
  readonly #passwordHasher: PasswordHasher;
  readonly #now: string;
  readonly #emails = new Set<string>();

  constructor(storage: Storage, passwordHasher: PasswordHasher, now: string) {
    this.#storage = storage;
    this.#passwordHasher = passwordHasher;
    this.#now = now;
  }

  check(inputs: readonly UserImport[]): Promise<readonly (CheckedUser | ServiceError)[]> {
    const checked = inputs.map((input) => orRefusal(() => this.#check(input)));
    return Promise.all(
      checked.map(async (each) => {
        if (each instanceof ServiceError) return each;
        const found = await this.#storage.users.findCredentials(each.user.email);
        return found === undefined ? each : conflict('Email already in use');
      }),
    );
  }

  #check(input: UserImport): CheckedUser {
    checkUserInput(input);
    const { email, password } = input;
    const times = timesOf(input, this.#now);
    const key = emailKey(email);
    if (this.#emails.has(key)) throw conflict('Email already in use by an earlier line');
    this.#emails.add(key);
    return {
      user: { ...keptId(input), ...givenUser(input), passwordHash: undefined, ...times },
      password,
    };
  }

  prepare(checked: readonly CheckedUser[]): Promise<readonly ImportedUser[]> {
    return Promise.all(
      checked.map(async ({ user, password }) =>
        password === undefined ? user : { ...user, passwordHash: await this.#passwordHasher.hash(password) },
      ),
    );
  }

  store(users: AsyncIterable<ImportedUser>, entryOf?: ImportEntry): Promise<number | ImportRefusal<string>> {
    return this.#storage.imports.users(users, entryOf);
  }
}
