/** Turns a not-found error into null, for nullable fields of the schema. */

import { ServiceError } from '../model/error.js';

export async function nullWhereMissing<T>(read: Promise<T>): Promise<T | null> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not-found') return null;
    throw error;
  }
}
