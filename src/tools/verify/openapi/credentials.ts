/** The credentials of a run, by the security schemes of the contract. */

import type { ContractModel, OperationModel } from 'concordat/contract';
import type { Secret } from '../run/violations.js';

/** Schemes that a request needs together, with their scopes. */
type Requirement = OperationModel['security'][number];

export class Credentials {
  /** @param given - by scheme; `user:password` for the scheme basic */
  constructor(
    private readonly given: Readonly<Record<string, string>>,
    private readonly schemes: ContractModel['securitySchemes'],
  ) {}

  /** The first alternative of an operation's security with given credentials, or else an empty one; undefined if there is none. */
  for({ security }: OperationModel): Requirement | undefined {
    if (security.length === 0) return {};
    const isGiven = (each: Requirement): boolean =>
      Object.keys(each).every((scheme) => Object.hasOwn(this.given, scheme));
    // With credentials an operation may show more than without.
    return security.find((each) => isGiven(each) && Object.keys(each).length > 0) ?? security.find(isGiven);
  }

  /** The schemes without credentials in each alternative of an operation's security; empty if one alternative is complete. */
  missingFor(operation: OperationModel): readonly (readonly string[])[] {
    if (this.for(operation) !== undefined) return [];
    return operation.security.map((each) =>
      Object.keys(each).filter((scheme) => !Object.hasOwn(this.given, scheme)),
    );
  }

  /** The text that is sent for a scheme. */
  textOf(scheme: string): string {
    return this.#encoded(scheme, this.given[scheme] ?? '');
  }

  /** An invalid credential for a scheme. */
  wrongTextOf(scheme: string): string {
    return this.#encoded(scheme, 'wrong:credential');
  }

  /** The texts to hide in shown requests. */
  get secrets(): readonly Secret[] {
    return Object.keys(this.given).flatMap((scheme) => {
      const words = scheme.replaceAll(/([a-z\d])([A-Z])/g, '$1_$2').replaceAll(/\W/g, '_');
      const variable = words.toUpperCase();
      const text = scheme in this.schemes ? this.textOf(scheme) : '';
      const { type, ...key } = (this.schemes[scheme] ?? {}) as Partial<Secret> & { readonly type?: string };
      const { in: place = 'header', name = 'authorization' } = type === 'apiKey' ? key : {};
      return text === '' ? [] : { text, variable, in: place, name };
    });
  }

  #encoded(scheme: string, text: string): string {
    type Described = { readonly type: string; readonly scheme?: string };
    const { type, scheme: kind } = this.schemes[scheme] as Described;
    const isBasic = type === 'http' && kind?.toLowerCase() === 'basic';
    return isBasic ? Buffer.from(text).toString('base64') : text;
  }
}
