/** The identity provider of a service, which answers, fails, hangs or never ends. Nobody but those who sign in there may notice it. */

import { type EndpointAnswer, FaultyProvider } from '../../support/faulty-provider.js';
import { send } from '../../support/send.js';
import { Fault } from '../calls.js';
import type { Random } from '../random.js';

const moods: readonly (() => EndpointAnswer)[] = [
  () => undefined,
  () => 'endless',
  () => ({ status: 500, body: 'broken' }),
  () => ({ status: 302, body: '' }),
  () => ({ body: '{' }),
];

export class Provider {
  readonly #server = new FaultyProvider();
  readonly #signIns: Promise<string | undefined>[] = [];

  async start(): Promise<void> {
    await this.#server.start();
    this.#server.reset('');
  }

  /** What a deployer sets. */
  get settings(): Readonly<Record<string, string>> {
    return {
      IDP_ISSUER: this.#server.issuer,
      IDP_CLIENT_ID: 'client',
      IDP_CLIENT_SECRET: 'what only the two of them know',
      PUBLIC_URL: 'http://localhost:3000',
    };
  }

  /** Somebody begins to sign in, for whom nobody waits. @returns how the provider answers */
  signIn(random: Random, url: string): string {
    const mood = random.chance(0.3) ? undefined : random.pick(moods);
    this.#server.reset('');
    if (mood !== undefined) this.#server.answers['/.well-known/openid-configuration'] = mood;
    this.#signIns.push(faultOf(url));
    return mood === undefined ? 'well' : String(mood);
  }

  /** @throws {@link Fault} for an answer that was none of those that it may have */
  async check(): Promise<void> {
    this.#server.reset('');
    for (const fault of await Promise.all(this.#signIns.splice(0)))
      if (fault !== undefined) throw new Fault(fault);
  }

  async stop(): Promise<void> {
    await this.#server.stop();
  }
}

async function faultOf(url: string): Promise<string | undefined> {
  try {
    const { status, text } = await send(url, { method: 'GET', path: '/api/auth/idp' });
    return [302, 503].includes(status)
      ? undefined
      : `a sign-in elsewhere was answered ${String(status)} ${text}`;
  } catch {
    return undefined; // its process was killed or stopped
  }
}
