/** The ticket of a sign-in that has begun: signed state that the browser keeps, so that the service stays stateless. */

import { hkdfSync } from 'node:crypto';
import jwt from 'jsonwebtoken';
import type { Timestamp } from '../model/timestamp.js';

/** The values that the callback's answer must match. */
export interface Ticket {
  /** Binds the answer to the browser that started the sign-in (RFC 6749 §10.12). */
  readonly state: string;
  /** Binds the ID token to this sign-in (OpenID Connect Core §15.5.2). */
  readonly nonce: string;
  /** Binds the code to this sign-in (RFC 7636). */
  readonly verifier: string;
}

/** Long enough for a person who must first find a second factor. */
export const ticketSeconds = 10 * 60;

/** Signs tickets, and reads those that were signed here and have not expired. */
export interface TicketCodec {
  sign(ticket: Ticket, now: Timestamp): string;
  read(text: string, now: Timestamp): Ticket | undefined;
}

/** @param secret may have other uses too: the key for tickets is derived from it (RFC 5869) */
export function ticketCodec(secret: string): TicketCodec {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'concordat external sign-in ticket', 32));
  return {
    sign({ state, nonce, verifier }, now) {
      const iat = secondsOf(now);
      return jwt.sign({ state, nonce, verifier, iat, exp: iat + ticketSeconds }, key, { algorithm: 'HS256' });
    },
    read(text, now) {
      try {
        const options = { algorithms: ['HS256' as const], clockTimestamp: secondsOf(now) };
        const { state, nonce, verifier } = Object(jwt.verify(text, key, options)) as Partial<Ticket>;
        // The key signs only complete tickets; this check is for the compiler.
        return state && nonce && verifier ? { state, nonce, verifier } : undefined;
      } catch {
        return undefined;
      }
    },
  };
}

function secondsOf(moment: Timestamp): number {
  return Math.floor(Date.parse(moment) / 1000);
}
