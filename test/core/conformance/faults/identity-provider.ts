/** Adapters of an identity provider that break a rule, in front of a provider that is a table in this process. */
import { createHmac, randomUUID } from 'node:crypto';
import type { SignInScene } from '../../../../src/core/conformance/identity-provider.js';
import type { IdentityProvider } from '../../../../src/core/ports/sign-in.js';
import { faults, methodFaults } from './fault.js';

const issuer = 'https://id.example.com';
const seconds = 600;

/** Who has signed in, by the code of the answer: the provider's table, the same for all adapters. */
const codes = new Map<string, string>();

function signed(text: string, secret: string): string {
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

/** What an adapter does otherwise than a sound one. */
interface Flaws {
  readonly secret?: string;
  readonly trustsTickets?: boolean;
  readonly ignoresState?: boolean;
  readonly neverEnds?: boolean;
  readonly keepsCodes?: boolean;
  readonly takesDeclined?: boolean;
  readonly throws?: boolean;
}

export function tableScene(flaws: Flaws = {}): SignInScene {
  const { secret = 'secret' } = flaws;
  const provider: IdentityProvider = {
    redirectUri: 'https://service.example/callback',
    start(now) {
      const state = randomUUID();
      const end = String(Date.parse(now) + seconds * 1000);
      const ticket = signed(`${state} ${end}`, secret);
      return Promise.resolve({ location: `${issuer}/auth?state=${state}`, ticket, seconds });
    },
    complete(answer, ticket, now) {
      const [text = ''] = ticket.split('.', 1);
      const [state, end] = text.split(' ');
      const query = new URLSearchParams(answer);
      if (flaws.throws === true && !query.has('code')) throw new Error('no code');
      if (flaws.trustsTickets !== true && signed(text, secret) !== ticket) return Promise.resolve('refused');
      if (flaws.neverEnds !== true && Date.parse(now) >= Number(end)) return Promise.resolve('refused');
      if (flaws.ignoresState !== true && flaws.trustsTickets !== true && query.get('state') !== state) {
        return Promise.resolve('refused');
      }
      const code = query.get('code') ?? '';
      const subject = codes.get(code) ?? (flaws.takesDeclined === true ? query.get('error') : undefined);
      if (flaws.keepsCodes !== true) codes.delete(code);
      if (subject == null) return Promise.resolve('refused');
      return Promise.resolve({ issuer, subject, email: undefined, name: undefined });
    },
  };
  return {
    provider,
    signIn(location, person) {
      const state = new URL(location).searchParams.get('state') ?? '';
      if (person === undefined) return Promise.resolve(`error=access_denied&state=${state}`);
      const code = randomUUID();
      codes.set(code, person);
      return Promise.resolve(`code=${code}&state=${state}`);
    },
  };
}

/** Makes the scene's adapter one with flaws. */
const flawed =
  (flaws: Flaws) =>
  (scene: SignInScene): void => {
    Object.assign(scene, tableScene(flaws));
  };

/** Every profile has this subject. */
const subjects =
  (subject: () => string) =>
  (complete: IdentityProvider['complete']): IdentityProvider['complete'] =>
  async (...input) => {
    const profile = await complete(...input);
    return profile === 'refused' ? profile : { ...profile, subject: subject() };
  };

export const identityProviderFaults = [
  ...methodFaults(({ provider }: SignInScene) => provider, {
    redirectUri: {
      'the address of the callback is a path: identity-provider-start': () => '/callback',
    },
    start: {
      'the ticket is in the address: identity-provider-start': (start) => async (now) => {
        const begun = await start(now);
        return { ...begun, location: `${begun.location}&ticket=${begun.ticket}` };
      },
    },
    complete: {
      'every sign-in is somebody new: identity-provider-complete': subjects(() => randomUUID()),
      'everybody is the same: identity-provider-complete': subjects(() => 'somebody'),
    },
  }),

  ...faults<SignInScene>({
    'a person who declines is one called by the error: identity-provider-declined': flawed({
      takesDeclined: true,
    }),
    'an answer without a code is an error: identity-provider-odd-answers': flawed({ throws: true }),
    'tickets are not verified: identity-provider-odd-tickets': flawed({ trustsTickets: true }),
    'any ticket will do: identity-provider-other-ticket': flawed({ ignoresState: true }),
    'tickets never end: identity-provider-expired': flawed({ neverEnds: true }),
    'an answer is good for ever: identity-provider-once': flawed({ keepsCodes: true }),
    'every process has a secret of its own: identity-provider-shared': (scene) => {
      flawed({ secret: randomUUID() })(scene);
    },
  }),
];
