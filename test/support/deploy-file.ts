/** The files of a deployment that ship with the service. */

import { readFileSync } from 'node:fs';
import { ROOT } from '../architecture/source-tree.js';

export const DEPLOY = `${ROOT}src/service/deploy/`;

/** The text of one of them. */
export const deployFile = (name: string): string => readFileSync(DEPLOY + name, 'utf8');
