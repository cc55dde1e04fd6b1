/** The checks that the adapter of an identity provider must pass, against a provider where a test can sign in. */
import assert from 'node:assert/strict';
import { timestampOf } from '../model/timestamp.js';
import type { ExternalProfile, IdentityProvider } from '../ports/sign-in.js';
import { musts } from './check.js';

/** An adapter, and a way to sign in at its provider. */
export interface SignInScene {
  readonly provider: IdentityProvider;
  /**
   * Follows a sign-in's location as a browser would, and signs in there.
   *
   * @param person undefined for a person who declines
   * @returns the query of the address to which the provider sends the browser back, without the `?`
   */
  signIn(location: string, person: 'ada' | 'grace' | undefined): Promise<string>;
}

const now = () => timestampOf(Date.now());

/** A sign-in at the provider, up to the callback. */
async function begin(scene: SignInScene, person: 'ada' | 'grace' | undefined) {
  const { ticket, location, seconds } = await scene.provider.start(now());
  return { ticket, seconds, answer: await scene.signIn(location, person) };
}

async function complete(scene: SignInScene, person: 'ada' | 'grace'): Promise<ExternalProfile> {
  const { answer, ticket } = await begin(scene, person);
  const profile = await scene.provider.complete(answer, ticket, now());
  assert.notEqual(profile, 'refused');
  return profile as ExternalProfile;
}

async function refuses({ provider }: SignInScene, answer: string, ticket: string, at = now()): Promise<void> {
  assert.equal(await provider.complete(answer, ticket, at), 'refused');
}

/**
 * All checks. Every scene that the factory makes must have the same provider and the same secrets, like the processes of a
 * deployment.
 *
 * @example
 * ```ts
 * for (const check of identityProviderChecks) {
 *   it(`${check.level} ${check.id}: ${check.name}`, () => check.run(() => ({ provider: oidcProvider(options), signIn })));
 * }
 * ```
 */
export const identityProviderChecks = musts<SignInScene>({
  'identity-provider-start: a sign-in begins at an absolute URL that does not show the ticket, and no two are alike':
    async (make) => {
      const { provider } = await make();
      assert.ok(URL.canParse(provider.redirectUri), 'redirectUri is a URL');
      const [one, other] = [await provider.start(now()), await provider.start(now())];
      for (const { location, ticket, seconds } of [one, other]) {
        assert.ok(URL.canParse(location), 'location is a URL');
        assert.ok(ticket !== '' && !location.includes(ticket), 'the ticket is secret');
        assert.ok(Number.isInteger(seconds) && seconds > 0, 'seconds is a whole number above 0');
      }
      assert.notEqual(one.location, other.location);
      assert.notEqual(one.ticket, other.ticket);
    },

  'identity-provider-complete: a person who signs in has an issuer and a subject: the same each time, and unlike those of others':
    async (make) => {
      const scene = await make();
      const [ada, again] = [await complete(scene, 'ada'), await complete(scene, 'ada')];
      const grace = await complete(scene, 'grace');
      for (const { issuer, subject } of [ada, grace])
        assert.ok(issuer !== '' && subject !== '', 'issuer and subject are not empty');
      assert.deepEqual([again.issuer, again.subject], [ada.issuer, ada.subject]);
      assert.equal(grace.issuer, ada.issuer);
      assert.notEqual(grace.subject, ada.subject);
    },

  'identity-provider-declined: a sign-in that the person declines is refused': async (make) => {
    const scene = await make();
    const { answer, ticket } = await begin(scene, undefined);
    await refuses(scene, answer, ticket);
  },

  'identity-provider-odd-answers: an answer that no provider sent is refused': async (make) => {
    const scene = await make();
    const { ticket, answer } = await begin(scene, 'ada');
    for (const odd of ['', '&', '%', 'x', 'code=x', 'state=&code=', '\u0000', answer.replaceAll('=', '')]) {
      await refuses(scene, odd, ticket);
    }
  },

  'identity-provider-odd-tickets: a ticket that was not issued is refused': async (make) => {
    const scene = await make();
    for (const odd of ['', 'x', '\u0000', '{}', undefined]) {
      const { answer, ticket } = await begin(scene, 'ada');
      await refuses(scene, answer, odd ?? `${ticket}x`);
    }
  },

  'identity-provider-other-ticket: an answer completes only its own sign-in, so that an attacker cannot sign a victim in as the attacker':
    async (make) => {
      const scene = await make();
      const [one, other] = [await begin(scene, 'ada'), await begin(scene, 'grace')];
      await refuses(scene, one.answer, other.ticket);
    },

  'identity-provider-expired: a ticket expires after its seconds': async (make) => {
    const scene = await make();
    const { answer, ticket, seconds } = await begin(scene, 'ada');
    await refuses(scene, answer, ticket, timestampOf(Date.now() + (seconds + 1) * 1000));
  },

  'identity-provider-once: an answer can be used once': async (make) => {
    const scene = await make();
    const { answer, ticket } = await begin(scene, 'ada');
    assert.notEqual(await scene.provider.complete(answer, ticket, now()), 'refused');
    await refuses(scene, answer, ticket);
  },

  'identity-provider-shared: any process can complete a sign-in that another began': async (make) => {
    const [one, other] = [await make(), await make()];
    const { answer, ticket } = await begin(one, 'ada');
    assert.notEqual(await other.provider.complete(answer, ticket, now()), 'refused');
  },
});
