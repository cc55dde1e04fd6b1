/** What GraphQL says of a thing that is not there: null, where the schema has a place for it. */

import { ServiceError } from '../model/error.js';

export async function nullWhereMissing<T>(read: Promise<T>): Promise<T | null> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not-found') return null;
    throw error;
  }
}
