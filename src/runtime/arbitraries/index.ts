/** The entry point `concordat/fast-check`: arbitraries from the contract. */

export { type RequestPart, arbitraryOf, arbitraryOfCheck } from './arbitrary-of.js';
