/** Finds the owner of a new record. */
import { invalidInput } from '../model/error.js';
import type { Caller } from './caller.js';

/**
 * @param place - the name of the input field, for the message
 * @param given - the id in the input; whether that user exists is not checked here
 * @returns the given id, else the caller's
 * @throws ServiceError `invalid-input` when there is neither
 */
export function ownerOf(caller: Caller, place: string, given: string | undefined): string {
  if (given !== undefined) return given;
  if (caller.kind === 'user') return caller.id;
  throw invalidInput(place, 'is required without a signed-in caller');
}
