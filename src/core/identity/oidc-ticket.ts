/** The ticket of a sign-in that has begun: a signed note that the browser keeps, so that the service need not. */

import { hkdfSync } from 'node:crypto';
import jwt from 'jsonwebtoken';
import type { Timestamp } from '../model/timestamp.js';

/** What the callback's answer must fit. */
export interface Ticket {
  /** Ties the answer to the browser that asked (RFC 6749 §10.12). */
  readonly state: string;
  /** Ties the ID token to this sign-in (OpenID Connect Core §15.5.2). */
  readonly nonce: string;
  /** Ties the code to this sign-in (RFC 7636). */
  readonly verifier: string;
}

/** Long enough for somebody who has to look for a second factor first. */
export const ticketSeconds = 10 * 60;

/** Signs tickets, and reads back those that were signed here and are not too old. */
export interface TicketCodec {
  sign(ticket: Ticket, now: Timestamp): string;
  read(text: string, now: Timestamp): Ticket | undefined;
}

/** @param secret may sign other things too: tickets have a key of their own, made of it (RFC 5869) */
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
        // The key signs nothing but whole tickets; this tells the compiler.
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
