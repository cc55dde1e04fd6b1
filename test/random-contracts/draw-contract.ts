/** Draws the contract of a seed: an OpenAPI document, or for every fifth seed the text of a GraphQL schema. */

import { type Document, drawDocument } from './draw-document.js';
import { drawSdl } from './draw-sdl.js';

export type Contract = Document | string;

/** The most operations of a document. */
const MOST_OPERATIONS = 3000;

export const drawContract = (seed: number): Contract =>
  seed % 5 === 4 ? drawSdl(seed) : drawDocument(seed, { most: MOST_OPERATIONS });
