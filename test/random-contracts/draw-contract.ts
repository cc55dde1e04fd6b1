/** Draws the contract of a seed: an OpenAPI document, or the text of a GraphQL schema. */

import { type Document, drawDocument } from './draw-document.js';

/** The most operations of a document. */
const MOST_OPERATIONS = 3000;

export const drawContract = (seed: number): Document => drawDocument(seed, { most: MOST_OPERATIONS });
