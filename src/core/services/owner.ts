/** In whose name something is made. */
import { invalidInput } from '../model/error.js';
import type { Caller } from './caller.js';

/**
 * @param place the input's name for the owner, for the message
 * @param given the id in the input, which need not exist
 * @returns the id that was given, else the caller's
 * @throws ServiceError `invalid-input` when there is neither
 */
export function ownerOf(caller: Caller, place: string, given: string | undefined): string {
  if (given !== undefined) return given;
  if (caller.kind === 'user') return caller.id;
  throw invalidInput(place, 'is required without a signed-in caller');
}
