/** An identity provider that knows a few people, fails, hangs, and gives other answers. */

import { setTimeout as sleep } from 'node:timers/promises';
import { type ExternalProfile, type IdentityProvider, ServiceError } from '@concordat/core';
import type { Random } from '../random.js';
import { type Neighbour, forEver } from './neighbour.js';

export class SignInProvider implements Neighbour {
  #mood: 'well' | 'late' | 'fails' | 'hangs' | 'refuses' = 'well';

  change(random: Random): void {
    this.#mood = random.pick(['well', 'late', 'fails', 'hangs', 'refuses']);
  }

  heal(): void {
    this.#mood = 'well';
  }

  get isWell(): boolean {
    return this.#mood === 'well' || this.#mood === 'late';
  }

  provider(): IdentityProvider {
    const answer = async <T>(value: T, otherwise: () => T): Promise<T> => {
      if (this.#mood === 'late') await sleep(2_000, undefined, { ref: false });
      if (this.#mood === 'hangs') await forEver;
      return this.#mood === 'fails' || this.#mood === 'refuses' ? otherwise() : value;
    };
    const refused = (): never => {
      throw new ServiceError('unavailable', 'The identity provider does not answer');
    };
    return {
      redirectUri: 'http://localhost/api/auth/idp/callback',
      start: () => answer({ location: 'https://idp.example/', ticket: 'ticket', seconds: 300 }, refused),
      complete: (query, ticket) => {
        const code = new URLSearchParams(query).get('code');
        const profile = profiles[code ?? ''];
        if (ticket !== 'ticket' || code === null || profile === undefined) return Promise.resolve('refused');
        return answer<ExternalProfile | 'refused'>(
          { issuer: 'https://idp.example', subject: code, ...profile },
          () => 'refused',
        );
      },
    };
  }
}

/** Those who have an account at the provider, by the codes of their sign-ins. */
export const profiles: Readonly<
  Record<string, { readonly email: string | undefined; readonly name: string | undefined }>
> = {
  ida: { email: 'ida@idp.example', name: 'Ida' },
  bob: { email: 'BOB1@example.com', name: ' Bob ' },
  ada: { email: 'ada2@example.com', name: undefined },
  odd: { email: 'odd@idp.example', name: 'a\u0000b' },
  long: { email: 'long@idp.example', name: '\u{1f600}'.repeat(300) },
  nobody: { email: undefined, name: 'Nobody' },
  wrong: { email: 'no email', name: 'Wrong' },
};
