/** The password hasher port: hashes passwords for storage, and verifies them. */

/** `hasherChecks` of `@concordat/core/conformance` checks this. */
export interface PasswordHasher {
  /** @returns a salted hash with its parameters in one text (for example the PHC string format). */
  hash(password: string): Promise<string>;
  /** Whether the hash was made of this password; false also for a hash that this hasher cannot read. */
  verify(hash: string, password: string): Promise<boolean>;
}
