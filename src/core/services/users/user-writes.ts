/** The writes of users without an input, and the outcomes of all. */
import { conflict } from '../../model/error.js';
import type { Write } from '../writes/writes.js';
import type { Caller } from '../rights/caller.js';
import { targetOf } from './user-input.js';

type DirectAction = 'users.activate' | 'users.endSessions' | 'users.delete';

/** The write of an action without an input. */
export function writeBy(caller: Caller, action: DirectAction, id: string): Write {
  return { caller, operation: action, actions: [action], audited: [{ action }], target: targetOf(id) };
}

/** @param ending - the refused change of the last admin, for the message: `deleted` */
export function stored<T extends object>(outcome: T | 'email-taken' | 'last-admin', ending = ''): T {
  if (outcome === 'last-admin') throw conflict(`The last admin cannot be ${ending}`);
  if (outcome === 'email-taken') throw conflict('Email already in use');
  return outcome;
}
